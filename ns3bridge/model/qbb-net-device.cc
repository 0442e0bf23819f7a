/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-net-device.h"

#include "qbb-call.h"
#include "qbb-node.h"
#include "qbb-wire.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");

NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid = [] {
        TypeId t = TypeId("ns3::QbbNetDevice")
                       .SetParent<NetDevice>()
                       .SetGroupName("Qbb")
                       .AddConstructor<QbbNetDevice>()
                       .AddAttribute("Address",
                                     "The MAC address of the port",
                                     Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                                     MakeMac48AddressAccessor(&QbbNetDevice::m_address),
                                     MakeMac48AddressChecker())
                       .AddAttribute("ReceiveErrorModel",
                                     "Decides which of the packets that arrive are lost",
                                     PointerValue(),
                                     MakePointerAccessor(&QbbNetDevice::m_errors),
                                     MakePointerChecker<ErrorModel>())
                       .AddAttribute("DataRate",
                                     "The rate of the port",
                                     TypeId::ATTR_GET,
                                     DataRateValue(DataRate(0)),
                                     MakeDataRateAccessor(&QbbNetDevice::GetDataRate),
                                     MakeDataRateChecker())
                       .AddTraceSource("TxFrame",
                                       "A packet is put on the link",
                                       MakeTraceSourceAccessor(&QbbNetDevice::m_txFrame),
                                       "ns3::QbbNetDevice::FrameCallback")
                       .AddTraceSource("RxFrame",
                                       "A packet has been received",
                                       MakeTraceSourceAccessor(&QbbNetDevice::m_rxFrame),
                                       "ns3::QbbNetDevice::FrameCallback")
                       .AddTraceSource("Pfc",
                                       "A PFC frame has been received",
                                       MakeTraceSourceAccessor(&QbbNetDevice::m_pfc),
                                       "ns3::QbbNetDevice::PfcCallback");
        const auto packets = [&t](const char* name, const char* help, auto source) {
            t.AddTraceSource(name,
                             help,
                             MakeTraceSourceAccessor(source),
                             "ns3::Packet::TracedCallback");
        };
        packets("MacTx", "A packet is put on the link", &QbbNetDevice::m_macTx);
        packets("MacTxDrop", "A packet is refused", &QbbNetDevice::m_macTxDrop);
        packets("MacPromiscRx", "A packet has been received", &QbbNetDevice::m_macPromiscRx);
        packets("MacRx", "A packet has been received", &QbbNetDevice::m_macRx);
        packets("MacRxDrop", "A packet has been thrown away", &QbbNetDevice::m_macRxDrop);
        packets("PhyTxBegin", "A transmission begins", &QbbNetDevice::m_phyTxBegin);
        packets("PhyTxEnd", "A transmission has ended", &QbbNetDevice::m_phyTxEnd);
        packets("PhyRxEnd", "A packet has arrived", &QbbNetDevice::m_phyRxEnd);
        packets("PhyRxDrop", "A packet is lost on the link", &QbbNetDevice::m_phyRxDrop);
        packets("Sniffer", "A packet is sent or received", &QbbNetDevice::m_sniffer);
        packets("PromiscSniffer", "A packet is sent or received", &QbbNetDevice::m_promiscSniffer);
        return t;
    }();
    return tid;
}

void
QbbNetDevice::SetMachine(Ptr<QbbNode> machine, uint32_t port, DataRate rate, uint32_t header)
{
    m_machine = machine;
    m_port = port;
    m_rate = rate;
    m_header = header;
}

Ptr<QbbNode>
QbbNetDevice::GetMachine() const
{
    return m_machine;
}

uint32_t
QbbNetDevice::GetPort() const
{
    return m_port;
}

DataRate
QbbNetDevice::GetDataRate() const
{
    return m_rate;
}

void
QbbNetDevice::SetChannel(Ptr<QbbChannel> channel)
{
    m_channel = channel;
}

void
QbbNetDevice::SetLossy(bool lossy)
{
    m_lossy = lossy;
}

void
QbbNetDevice::LinkChanged()
{
    m_machine->SetLink(m_port, m_channel->IsUp());
    m_linkChange();
}

void
QbbNetDevice::Transmit(const qbb_action& action)
{
    NS_LOG_FUNCTION(this << action.at << +action.packet.kind << action.packet.seq);
    auto frame = Create<QbbFrame>(action.packet, m_header);
    const Time end = QbbUntil(action.at);
    m_sending = true;
    m_wanted = action.more;
    m_txFrame(action.packet);
    if (!m_macTx.IsEmpty())
    {
        m_macTx(frame->GetPacket());
    }
    if (!m_phyTxBegin.IsEmpty())
    {
        m_phyTxBegin(frame->GetPacket());
    }
    if (!m_phyTxEnd.IsEmpty())
    {
        m_onWire = frame;
    }
    Sniff(frame);
    // The end of the transmission is scheduled before the arrival: equal times run in this order.
    Simulator::Schedule(end, &QbbNetDevice::TxDone, this, QbbNow());
    m_channel->Transmit(frame, this, end);
}

void
QbbNetDevice::TxDone(int64_t born)
{
    m_sending = false;
    if (m_onWire)
    {
        m_phyTxEnd(m_onWire->GetPacket());
        m_onWire = nullptr;
    }
    if (m_wanted)
    {
        m_wanted = false;
        m_machine->Begin(born);
        m_machine->TxDone(m_port);
    }
}

void
QbbNetDevice::Kick()
{
    if (m_sending)
    {
        m_wanted = true;
        return;
    }
    m_machine->TxDone(m_port);
}

void
QbbNetDevice::SetWake(int64_t at)
{
    NS_LOG_FUNCTION(this << at);
    m_wake.Cancel();
    if (at != QBB_NEVER)
    {
        m_wake = Simulator::Schedule(QbbUntil(at), &QbbNetDevice::Wake, this, QbbNow());
    }
}

void
QbbNetDevice::Wake(int64_t born)
{
    m_machine->Begin(born);
    m_machine->Wake(m_port);
}

void
QbbNetDevice::Receive(Ptr<QbbFrame> frame, int64_t born)
{
    NS_LOG_FUNCTION(this << +frame->Get().kind << frame->Get().seq);
    if (IsLost(frame))
    {
        NS_LOG_LOGIC("lost on the link");
        if (!m_phyRxDrop.IsEmpty())
        {
            m_phyRxDrop(frame->GetPacket());
        }
        return;
    }
    if (!m_phyRxEnd.IsEmpty())
    {
        m_phyRxEnd(frame->GetPacket());
    }
    Sniff(frame);
    m_rxFrame(frame->Get());
    if (!m_macRx.IsEmpty())
    {
        m_macRx(frame->GetPacket());
    }
    if (!m_macPromiscRx.IsEmpty())
    {
        m_macPromiscRx(frame->GetPacket());
    }
    if (!m_promiscuous.IsNull())
    {
        m_promiscuous(this,
                      frame->GetPacket(),
                      QbbProtocol(frame->Get()),
                      m_channel->GetPeer(this)->GetAddress(),
                      m_address,
                      NetDevice::PACKET_HOST);
    }
    m_machine->Begin(born);
    m_machine->Receive(m_port, frame->Get());
}

bool
QbbNetDevice::IsLost(Ptr<const QbbFrame> frame) const
{
    if ((m_lossy || !m_channel->IsUp()) &&
        QbbCheck(qbb_node_lost(m_machine->GetHandle(), QbbNow(), m_port)))
    {
        return true;
    }
    return m_errors && m_errors->IsCorrupt(frame->GetPacket());
}

void
QbbNetDevice::Sniff(Ptr<const QbbFrame> frame)
{
    if (!m_sniffer.IsEmpty())
    {
        m_sniffer(frame->GetPacket());
    }
    if (!m_promiscSniffer.IsEmpty())
    {
        m_promiscSniffer(frame->GetPacket());
    }
}

void
QbbNetDevice::Dropped(const qbb_packet& packet)
{
    NS_LOG_LOGIC("dropped: kind " << +packet.kind << ", " << packet.size << " bytes");
    if (!m_macRxDrop.IsEmpty())
    {
        m_macRxDrop(QbbMakePacket(packet, m_header));
    }
}

void
QbbNetDevice::PfcReceived(uint8_t classes, bool pause)
{
    m_pfc(this, classes, pause);
}

void
QbbNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channel;
}

void
QbbNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbNetDevice::GetAddress() const
{
    return m_address;
}

bool
QbbNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
QbbNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsUp();
}

void
QbbNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
QbbNetDevice::IsBroadcast() const
{
    return false;
}

Address
QbbNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbNetDevice::IsMulticast() const
{
    return false;
}

Address
QbbNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
QbbNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
QbbNetDevice::IsBridge() const
{
    return false;
}

bool
QbbNetDevice::IsPointToPoint() const
{
    return true;
}

bool
QbbNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    NS_LOG_WARN("only RDMA flows are sent: a packet of protocol " << protocolNumber << " to "
                                                                  << dest << " is dropped");
    m_macTxDrop(packet);
    return false;
}

bool
QbbNetDevice::SendFrom(Ptr<Packet> packet,
                       const Address& /* source */,
                       const Address& dest,
                       uint16_t protocolNumber)
{
    return Send(packet, dest, protocolNumber);
}

Ptr<Node>
QbbNetDevice::GetNode() const
{
    return m_node;
}

void
QbbNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbNetDevice::NeedsArp() const
{
    return false;
}

void
QbbNetDevice::SetReceiveCallback(ReceiveCallback /* cb */)
{
    // RDMA ends in the NIC: nothing is handed up.
}

void
QbbNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscuous = cb;
}

bool
QbbNetDevice::SupportsSendFrom() const
{
    return false;
}

void
QbbNetDevice::DoDispose()
{
    m_wake.Cancel();
    m_node = nullptr;
    m_machine = nullptr;
    m_channel = nullptr;
    m_errors = nullptr;
    m_onWire = nullptr;
    NetDevice::DoDispose();
}

} // namespace ns3
