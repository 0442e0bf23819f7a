/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-wire.h"

#include "control-header.h"
#include "int-header.h"
#include "rdma-header.h"
#include "short-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_CONTROL = 0x8808; // IEEE 802.3, clause 31
constexpr uint16_t ETHERTYPE_CNM = 0x22e7;     // IEEE 802.1Q, clause 33
constexpr uint16_t UDP_ROCE = 4791;            // InfiniBand annex A17
constexpr uint8_t IP_UDP = 17;
constexpr uint8_t IP_ACK = 0xfc; // the HPCC simulator's acknowledgements

constexpr uint32_t ETHERNET = 14;
constexpr uint32_t IP = 20;
constexpr uint32_t UDP = 8;
constexpr uint32_t ROCE = ETHERNET + IP + UDP + 12; // with the base transport header
constexpr uint32_t ICRC = 4;
constexpr uint32_t FCS = 4;
constexpr uint32_t FIRST_QP = 2; // 0 and 1 are for management

/// Puts the parts of a packet together, beginning with the last.
class Builder
{
  public:
    /**
     * \param packet what is made into a packet
     * \param header as in QbbMakePacket
     */
    Builder(const qbb_packet& packet, uint32_t header)
        : m_from(packet),
          m_fcs(header >= ROCE + ICRC + FCS && packet.kind != QBB_PKT_CREDIT ? FCS : 0)
    {
    }

    /// \return the packet
    Ptr<Packet> Get()
    {
        if (m_fcs > 0)
        {
            m_packet->AddTrailer(EthernetTrailer());
        }
        return m_packet;
    }

    /**
     * \param headers bytes that will be added
     * \return bytes before the FCS that are not yet there
     */
    uint32_t Left(uint32_t headers) const
    {
        return std::max<int64_t>(0, int64_t(m_from.size) - m_packet->GetSize() - headers - m_fcs);
    }

    /// \return bytes of FCS
    uint32_t GetFcs() const
    {
        return m_fcs;
    }

    /// \param header the header to put in front
    template <typename T>
    void Add(const T& header)
    {
        m_packet->AddHeader(header);
    }

    /// \param bytes the number of zero bytes to put in front
    void AddZeros(uint32_t bytes)
    {
        auto front = Create<Packet>(bytes);
        front->AddAtEnd(m_packet);
        m_packet = front;
    }

    /**
     * \brief Adds what the scheme has added, in bytes.
     * \param bytes their number
     */
    void AddScheme(uint32_t bytes)
    {
        if (!m_from.has_int || bytes < 2)
        {
            AddZeros(bytes);
            return;
        }
        IntHeader telemetry((bytes - 2) / 8);
        telemetry.SetHops(m_from.n_hops);
        for (uint32_t i = 0; i < std::min<uint32_t>(m_from.n_hops, QBB_MAX_HOPS); i++)
        {
            telemetry.Add(m_from.hops[i]);
        }
        AddZeros(bytes - telemetry.GetSerializedSize());
        Add(telemetry);
    }

    /// \param opcode the operation
    void AddBth(uint8_t opcode)
    {
        BthHeader bth;
        bth.SetOpcode(opcode);
        bth.SetQueuePair(FIRST_QP + m_from.dst_qp);
        bth.SetSequence(m_from.seq);
        bth.SetFecn(m_from.flags & QBB_PKT_CE);
        bth.SetBecn(m_from.flags & QBB_PKT_ECE);
        bth.SetAckRequest(m_from.kind == QBB_PKT_DATA && !(m_from.flags & QBB_PKT_NO_ACK_REQ));
        Add(bth);
    }

    /// \param port the destination port
    void AddUdp(uint16_t port)
    {
        UdpHeader udp;
        udp.SetSourcePort(m_from.src_port);
        udp.SetDestinationPort(port);
        Add(udp);
    }

    /// \param protocol the protocol that follows
    void AddIp(uint8_t protocol)
    {
        Ipv4Header ip;
        ip.SetSource(QbbAddress(m_from.src));
        ip.SetDestination(QbbAddress(m_from.dst));
        ip.SetProtocol(protocol);
        ip.SetTtl(64);
        ip.SetDontFragment();
        ip.SetPayloadSize(m_packet->GetSize());
        ip.SetTos(m_from.prio << 5);
        if (m_from.flags & QBB_PKT_CE)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
        }
        else if (m_from.flags & QBB_PKT_ECT)
        {
            ip.SetEcn(Ipv4Header::ECN_ECT0);
        }
        Add(ip);
    }

    /**
     * \brief Adds the Ethernet header.
     * \param type what follows
     * \param source the sender
     * \param destination the receiver
     */
    void AddEthernet(uint16_t type, Mac48Address source, Mac48Address destination)
    {
        EthernetHeader ethernet(false);
        ethernet.SetSource(source);
        ethernet.SetDestination(destination);
        ethernet.SetLengthType(type);
        Add(ethernet);
    }

  private:
    const qbb_packet& m_from;                //!< the packet to convert
    Ptr<Packet> m_packet{Create<Packet>(0)}; //!< the packet so far, without its FCS
    uint32_t m_fcs;                          //!< bytes of FCS, which IP and UDP do not count
};

/**
 * \param node the number of a node
 * \return a locally administered address
 */
Mac48Address
MacOf(uint32_t node)
{
    const uint8_t bytes[6] = {2,
                              0,
                              uint8_t(node >> 24),
                              uint8_t(node >> 16),
                              uint8_t(node >> 8),
                              uint8_t(node)};
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

/**
 * \param packet a data packet
 * \return its operation
 */
uint8_t
DataOpcode(const qbb_packet& packet)
{
    const bool last = packet.flags & QBB_PKT_LAST;
    if (packet.seq == 0)
    {
        return last ? RDMA_SEND_ONLY : RDMA_SEND_FIRST;
    }
    return last ? RDMA_SEND_LAST : RDMA_SEND_MIDDLE;
}

/**
 * \brief Adds the transport headers of a data packet and what they carry.
 * \param b the packet
 * \param packet what is made into a packet
 * \param header as in QbbMakePacket
 */
void
AddData(Builder& b, const qbb_packet& packet, uint32_t header)
{
    if (header < ROCE)
    {
        QbbSeqHeader seq;
        b.AddZeros(packet.payload);
        b.AddScheme(b.Left(ETHERNET + IP + UDP + seq.GetSerializedSize()));
        seq.SetSequence(packet.seq);
        seq.SetPriority(packet.prio);
        b.Add(seq);
        b.AddUdp(packet.dst_port);
        return;
    }
    b.AddZeros(header - ROCE - b.GetFcs()); // ICRC, and what the network says besides
    b.AddZeros(packet.payload);
    b.AddScheme(b.Left(ROCE));
    b.AddBth(DataOpcode(packet));
    b.AddUdp(UDP_ROCE);
}

/**
 * \brief Adds the transport headers of an acknowledgement and what they carry.
 * \param b the packet
 * \param packet what is made into a packet
 * \param header as in QbbMakePacket
 * \return the protocol that IP names
 */
uint8_t
AddAck(Builder& b, const qbb_packet& packet, uint32_t header)
{
    if (header < ROCE)
    {
        QbbAckHeader ack;
        ack.SetSourcePort(packet.src_port);
        ack.SetDestinationPort(packet.dst_port);
        ack.SetFlags(packet.flags & QBB_PKT_ECE ? 1 : 0);
        ack.SetPriority(packet.prio);
        ack.SetSequence(packet.seq);
        b.AddScheme(b.Left(ETHERNET + IP + ack.GetSerializedSize()));
        b.Add(ack);
        return IP_ACK;
    }
    AethHeader aeth;
    aeth.SetNack(packet.kind == QBB_PKT_NACK);
    b.AddZeros(std::min(ICRC, b.Left(ROCE + aeth.GetSerializedSize())));
    b.AddScheme(b.Left(ROCE + aeth.GetSerializedSize()));
    b.Add(aeth);
    b.AddBth(RDMA_ACKNOWLEDGE);
    b.AddUdp(UDP_ROCE);
    return IP_UDP;
}

/**
 * \param packet a PFC frame
 * \param header as in QbbMakePacket
 * \return the packet
 */
Ptr<Packet>
MakePause(const qbb_packet& packet, uint32_t header)
{
    Builder b(packet, header);
    PfcHeader pfc;
    pfc.SetClasses(packet.aux & 0xff);
    pfc.SetQuanta(packet.aux >> 24 & 1 ? 0xffff : packet.aux >> 8 & 0xffff);
    b.AddZeros(b.Left(ETHERNET + pfc.GetSerializedSize()));
    b.Add(pfc);
    b.AddEthernet(ETHERTYPE_CONTROL, MacOf(packet.src), Mac48Address("01:80:c2:00:00:01"));
    return b.Get();
}

/**
 * \param packet a flow-control packet of InfiniBand
 * \param header as in QbbMakePacket
 * \return the packet, on a link that has no Ethernet header
 */
Ptr<Packet>
MakeCredit(const qbb_packet& packet, uint32_t header)
{
    Builder b(packet, header);
    CreditHeader credit;
    credit.SetLane(packet.aux >> 12 & 0xf);
    credit.SetSent(packet.aux >> 16 & 0xfff);
    credit.SetLimit(packet.aux & 0xfff);
    b.AddZeros(b.Left(credit.GetSerializedSize()));
    b.Add(credit);
    return b.Get();
}

/**
 * \param packet a congestion notification message
 * \param header as in QbbMakePacket
 * \return the packet
 */
Ptr<Packet>
MakeCnm(const qbb_packet& packet, uint32_t header)
{
    Builder b(packet, header);
    CnmHeader cnm;
    cnm.SetFeedback(packet.seq);
    cnm.SetCongestionPoint(packet.aux);
    cnm.SetPriority(packet.prio);
    cnm.SetDestination(MacOf(packet.src));
    b.AddZeros(b.Left(ETHERNET + cnm.GetSerializedSize()));
    b.Add(cnm);
    b.AddEthernet(ETHERTYPE_CNM, MacOf(packet.src), MacOf(packet.dst));
    return b.Get();
}

} // namespace

Ptr<Packet>
QbbMakePacket(const qbb_packet& packet, uint32_t header)
{
    switch (packet.kind)
    {
    case QBB_PKT_PAUSE:
        return MakePause(packet, header);
    case QBB_PKT_CREDIT:
        return MakeCredit(packet, header);
    case QBB_PKT_CNM:
        return MakeCnm(packet, header);
    }
    Builder b(packet, header);
    uint8_t protocol = IP_UDP;
    switch (packet.kind)
    {
    case QBB_PKT_DATA:
        AddData(b, packet, header);
        break;
    case QBB_PKT_ACK:
    case QBB_PKT_NACK:
        protocol = AddAck(b, packet, header);
        break;
    default: // CNP, grant: the reserved bytes or the grant take the rest
        b.AddZeros(b.Left(ROCE));
        b.AddBth(packet.kind == QBB_PKT_CNP ? RDMA_CNP : RDMA_GRANT);
        b.AddUdp(UDP_ROCE);
    }
    b.AddIp(protocol);
    b.AddEthernet(ETHERTYPE_IPV4, MacOf(packet.src), MacOf(packet.dst));
    return b.Get();
}

Ipv4Address
QbbAddress(uint32_t node)
{
    return Ipv4Address(0x0b000001 + ((node >> 8 & 0xff) << 16) + ((node & 0xff) << 8));
}

} // namespace ns3
