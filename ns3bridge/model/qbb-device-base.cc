/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-device-base.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/node.h"
#include "ns3/packet.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbDeviceBase);

TypeId
QbbDeviceBase::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbDeviceBase")
                            .SetParent<NetDevice>()
                            .SetGroupName("Qbb")
                            .AddAttribute("Address",
                                          "The MAC address of the port",
                                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                                          MakeMac48AddressAccessor(&QbbDeviceBase::m_address),
                                          MakeMac48AddressChecker());
    return tid;
}

void
QbbDeviceBase::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbDeviceBase::GetIfIndex() const
{
    return m_ifIndex;
}

void
QbbDeviceBase::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbDeviceBase::GetAddress() const
{
    return m_address;
}

void
QbbDeviceBase::SetMaxMtu(uint16_t most)
{
    m_maxMtu = most;
    m_mtu = most;
}

bool
QbbDeviceBase::SetMtu(const uint16_t mtu)
{
    if (mtu > m_maxMtu)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
QbbDeviceBase::GetMtu() const
{
    return m_mtu;
}

void
QbbDeviceBase::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

void
QbbDeviceBase::TellLinkChange()
{
    m_linkChange();
}

bool
QbbDeviceBase::IsBroadcast() const
{
    return true;
}

Address
QbbDeviceBase::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbDeviceBase::IsMulticast() const
{
    return true;
}

Address
QbbDeviceBase::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
QbbDeviceBase::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
QbbDeviceBase::IsBridge() const
{
    return false;
}

bool
QbbDeviceBase::IsPointToPoint() const
{
    return false; // the network has many ports
}

bool
QbbDeviceBase::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

Ptr<Node>
QbbDeviceBase::GetNode() const
{
    return m_node;
}

void
QbbDeviceBase::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbDeviceBase::NeedsArp() const
{
    return true;
}

void
QbbDeviceBase::SetReceiveCallback(ReceiveCallback cb)
{
    m_receive = cb;
}

void
QbbDeviceBase::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscuous = cb;
}

bool
QbbDeviceBase::IsPromiscuous() const
{
    return !m_promiscuous.IsNull();
}

bool
QbbDeviceBase::SupportsSendFrom() const
{
    return true;
}

NetDevice::PacketType
QbbDeviceBase::TypeOf(Mac48Address destination) const
{
    if (destination.IsBroadcast())
    {
        return PACKET_BROADCAST;
    }
    if (destination.IsGroup())
    {
        return PACKET_MULTICAST;
    }
    return destination == m_address ? PACKET_HOST : PACKET_OTHERHOST;
}

void
QbbDeviceBase::PassToPromiscuous(Ptr<const Packet> frame)
{
    auto packet = frame->Copy();
    EthernetHeader header(false);
    EthernetTrailer trailer;
    packet->RemoveTrailer(trailer);
    packet->RemoveHeader(header);
    m_promiscuous(this,
                  packet,
                  header.GetLengthType(),
                  header.GetSource(),
                  header.GetDestination(),
                  TypeOf(header.GetDestination()));
}

Ptr<Packet>
QbbDeviceBase::Encapsulate(Ptr<const Packet> packet,
                           Mac48Address source,
                           Mac48Address destination,
                           uint16_t protocol)
{
    EthernetHeader header(false);
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetLengthType(protocol);
    EthernetTrailer trailer;
    auto frame = packet->Copy();
    constexpr uint32_t LEAST = 64; // IEEE 802.3, 4.2.3.3
    const uint32_t size =
        frame->GetSize() + header.GetSerializedSize() + trailer.GetSerializedSize();
    if (size < LEAST)
    {
        frame->AddAtEnd(Create<Packet>(LEAST - size)); // with AddPaddingAtEnd, headers that are named break
    }
    frame->AddHeader(header);
    frame->AddTrailer(trailer);
    return frame;
}

void
QbbDeviceBase::PassUp(Ptr<const Packet> frame)
{
    auto packet = frame->Copy();
    EthernetHeader header(false);
    EthernetTrailer trailer;
    packet->RemoveTrailer(trailer);
    packet->RemoveHeader(header);
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, header.GetLengthType(), header.GetSource());
    }
}

void
QbbDeviceBase::DoDispose()
{
    m_node = nullptr;
    m_receive.Nullify();
    m_promiscuous.Nullify();
    NetDevice::DoDispose();
}

} // namespace ns3
