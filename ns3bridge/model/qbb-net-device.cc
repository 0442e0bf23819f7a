/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-net-device.h"

#include "qbb-call.h"
#include "qbb-host.h"
#include "qbb-network.h"
#include "qbb-send-queue.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDevice");
NS_OBJECT_ENSURE_REGISTERED(QbbNetDevice);

TypeId
QbbNetDevice::GetTypeId()
{
    static TypeId tid = [] {
        TypeId t = TypeId("ns3::QbbNetDevice")
                       .SetParent<QbbDeviceBase>()
                       .SetGroupName("Qbb")
                       .AddConstructor<QbbNetDevice>()
                       .AddAttribute("ReceiveErrorModel",
                                     "Decides which of the packets that arrive are lost",
                                     PointerValue(),
                                     MakePointerAccessor(&QbbNetDevice::m_errors),
                                     MakePointerChecker<ErrorModel>())
                       .AddAttribute("DataRate",
                                     "The rate of the port",
                                     TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT,
                                     DataRateValue(DataRate("100Gbps")),
                                     MakeDataRateAccessor(&QbbNetDevice::m_rate),
                                     MakeDataRateChecker())
                       .AddAttribute("SendQueue",
                                     "Where packets of ns-3's protocol stacks wait",
                                     TypeId::ATTR_GET,
                                     PointerValue(),
                                     MakePointerAccessor(&QbbNetDevice::m_queue),
                                     MakePointerChecker<QbbSendQueue>())
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
    const int64_t most = machine->GetNetwork()->GetInfo().mtu + header -
                         EthernetHeader(false).GetSerializedSize() -
                         EthernetTrailer().GetSerializedSize();
    SetMaxMtu(std::min<int64_t>(most, UINT16_MAX)); // the longest that IP knows
}

void
QbbNetDevice::SetSendQueue(Ptr<QbbSendQueue> queue)
{
    m_queue = queue;
}

Ptr<QbbSendQueue>
QbbNetDevice::GetSendQueue() const
{
    return m_queue;
}

Ptr<QbbNode>
QbbNetDevice::GetMachine() const
{
    return m_machine;
}

void
QbbNetDevice::MustLive() const
{
    m_machine->GetNetwork(); // says that the node has been disposed of
    NS_ABORT_MSG_UNLESS(GetNode(),
                        "port " << m_port << " of " << m_machine->Describe()
                                << " has been disposed of: during a run, take its link "
                                << "down instead (QbbChannel::SetUp, then QbbNetwork::Reroute)");
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
    MustLive();
    if (m_queue && !m_channel->IsUp())
    {
        m_queue->Flush();
    }
    m_machine->SetLink(m_port, m_channel->IsUp());
    TellLinkChange();
}

void
QbbNetDevice::Transmit(const qbb_action& action)
{
    NS_LOG_FUNCTION(this << action.at << +action.packet.kind << action.packet.seq);
    MustLive();
    auto frame = MakeFrame(action.packet);
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
    Simulator::Schedule(end, &QbbNetDevice::TxDone, Ptr<QbbNetDevice>(this), QbbNow());
    m_channel->Transmit(frame, this, end);
    if (action.packet.kind == QBB_PKT_DATAGRAM && m_queue)
    {
        m_queue->Done();
    }
}

Ptr<QbbFrame>
QbbNetDevice::MakeFrame(const qbb_packet& packet) const
{
    if (packet.kind == QBB_PKT_DATAGRAM)
    {
        return Create<QbbFrame>(packet, m_machine->GetNetwork()->GetDatagrams().Get(packet.aux));
    }
    return Create<QbbFrame>(packet, m_header);
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
    MustLive();
    if (IsLost(frame))
    {
        NS_LOG_LOGIC("lost on the link");
        if (!m_phyRxDrop.IsEmpty())
        {
            m_phyRxDrop(frame->GetPacket());
        }
        Forget(frame->Get());
        return;
    }
    Show(frame);
    m_machine->Begin(born);
    m_machine->Receive(m_port, frame->Get());
}

void
QbbNetDevice::Show(Ptr<const QbbFrame> frame)
{
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
    if (IsPromiscuous() && frame->Get().kind == QBB_PKT_DATAGRAM) // RDMA ends in the NIC
    {
        PassToPromiscuous(frame->GetPacket());
    }
}

void
QbbNetDevice::Forget(const qbb_packet& packet)
{
    if (packet.kind == QBB_PKT_DATAGRAM)
    {
        m_machine->GetNetwork()->GetDatagrams().Remove(packet.aux);
    }
}

bool
QbbNetDevice::IsLost(Ptr<const QbbFrame> frame) const
{
    if ((m_lossy || !m_channel->IsUp()) &&
        QbbCheck(qbb_node_lost(m_machine->GetHandle(), QbbNow(), m_port)))
    {
        return true;
    }
    return m_errors && m_errors->IsCorrupt(frame->GetPacket()->Copy());
}

void
QbbNetDevice::Sniff(Ptr<const QbbFrame> frame)
{
    if (frame->Get().kind == QBB_PKT_CREDIT) // no Ethernet frame, as which captures show packets
    {
        return;
    }
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
        m_macRxDrop(MakeFrame(packet)->GetPacket());
    }
    Forget(packet);
    if (packet.kind == QBB_PKT_DATAGRAM && m_queue)
    {
        m_queue->Done();
    }
}

bool
QbbNetDevice::SendFrom(Ptr<Packet> packet,
                       const Address& source,
                       const Address& dest,
                       uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    const auto to = Mac48Address::ConvertFrom(dest);
    const auto host = m_queue ? m_machine->GetNetwork()->FindHost(to) : nullptr;
    const bool known = to.IsGroup() || (host && host != m_machine);
    if (!m_queue || !IsLinkUp() || packet->GetSize() > GetMtu() || !known)
    {
        NS_LOG_WARN("refused: " << (!m_queue      ? "a switch sends nothing of its own"
                                    : !IsLinkUp() ? "the link is down"
                                    : !known      ? "no other host of the network has the address"
                                                  : "longer than the MTU"));
        m_macTxDrop(packet);
        return false;
    }
    return m_queue->Enqueue(
        Encapsulate(packet, Mac48Address::ConvertFrom(source), to, protocolNumber));
}

void
QbbNetDevice::PfcReceived(uint8_t classes, bool pause)
{
    m_pfc(this, classes, pause);
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channel;
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsUp();
}

void
QbbNetDevice::DoDispose()
{
    m_wake.Cancel();
    m_queue = nullptr;
    m_channel = nullptr;
    m_errors = nullptr;
    m_onWire = nullptr;
    QbbDeviceBase::DoDispose();
}

} // namespace ns3
