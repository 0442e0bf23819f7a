/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/control-header.h"
#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/int-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/qbb-wire.h"
#include "ns3/rdma-header.h"
#include "ns3/short-header.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"

using namespace ns3;

namespace
{

/**
 * \brief Puts a header on a packet and takes it off again.
 * \param header the header
 * \return what has come off
 */
template <typename T>
T
RoundTrip(const T& header)
{
    auto packet = Create<Packet>(10);
    packet->AddHeader(header);
    T back;
    packet->RemoveHeader(back);
    return back;
}

/**
 * \param kind enum qbb_packet_kind
 * \param size bytes on the wire
 * \param payload bytes of the message
 * \return a packet of the library
 */
qbb_packet
MakeContent(uint8_t kind, int32_t size, int32_t payload)
{
    qbb_packet p{};
    p.kind = kind;
    p.src = 258;
    p.dst = 7;
    p.dst_qp = 77;
    p.size = size;
    p.payload = payload;
    p.src_port = 10001;
    p.dst_port = 100;
    p.prio = 3;
    p.seq = 5000;
    p.flags = QBB_PKT_ECT;
    return p;
}

/// Headers come back unchanged.
class HeaderRoundTrip : public TestCase
{
  public:
    HeaderRoundTrip()
        : TestCase("headers come back as they went")
    {
    }

  private:
    void DoRun() override
    {
        BthHeader bth;
        bth.SetOpcode(RDMA_CNP);
        bth.SetBecn(true);
        bth.SetQueuePair(0x123456);
        bth.SetSequence(0xfedcba);
        bth.SetAckRequest(true);
        const auto bth2 = RoundTrip(bth);
        NS_TEST_EXPECT_MSG_EQ(bth.GetSerializedSize(), 12, "InfiniBand 9.2");
        NS_TEST_EXPECT_MSG_EQ(+bth2.GetOpcode(), 0x81, "opcode");
        NS_TEST_EXPECT_MSG_EQ(bth2.GetBecn(), true, "BECN");
        NS_TEST_EXPECT_MSG_EQ(bth2.GetFecn(), false, "FECN");
        NS_TEST_EXPECT_MSG_EQ(bth2.GetQueuePair(), 0x123456, "queue pair");
        NS_TEST_EXPECT_MSG_EQ(bth2.GetSequence(), 0xfedcba, "sequence number");
        NS_TEST_EXPECT_MSG_EQ(bth2.GetAckRequest(), true, "ACK request");

        AethHeader aeth;
        aeth.SetNack(true);
        aeth.SetMessages(9);
        NS_TEST_EXPECT_MSG_EQ(aeth.GetSerializedSize(), 4, "InfiniBand 9.3.5");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(aeth).GetNack(), true, "NAK");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(aeth).GetMessages(), 9, "messages");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(AethHeader()).GetNack(), false, "ACK");

        PfcHeader pfc;
        pfc.SetClasses(1 << 3 | 1 << 5);
        pfc.SetQuanta(0xffff);
        NS_TEST_EXPECT_MSG_EQ(pfc.GetSerializedSize(), 20, "opcode, vector, eight times");
        NS_TEST_EXPECT_MSG_EQ(+RoundTrip(pfc).GetClasses(), 0x28, "classes");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(pfc).GetQuanta(), 0xffff, "quanta");

        CnmHeader cnm;
        cnm.SetFeedback(63);
        cnm.SetCongestionPoint(0x1122334455667788);
        cnm.SetDestination(Mac48Address("02:00:00:00:01:02"));
        NS_TEST_EXPECT_MSG_EQ(cnm.GetSerializedSize(), 24, "IEEE 802.1Q 33.4");
        NS_TEST_EXPECT_MSG_EQ(+RoundTrip(cnm).GetFeedback(), 63, "feedback");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(cnm).GetCongestionPoint(), 0x1122334455667788, "CPID");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(cnm).GetDestination(),
                              Mac48Address("02:00:00:00:01:02"),
                              "destination");

        IntHeader telemetry(5);
        qbb_hop hop{};
        hop.at = 0x1abcdef; // 24 bits are kept
        hop.tx = 0x12345;
        hop.queue = 0x1ffff;
        telemetry.Add(hop);
        telemetry.SetHops(1);
        NS_TEST_EXPECT_MSG_EQ(telemetry.GetSerializedSize(), 42, "2 + 5*8 (HPCC, section 4)");
        const auto records = RoundTrip(telemetry).GetRecords();
        NS_TEST_ASSERT_MSG_EQ(records.size(), 1, "records");
        const uint64_t want = uint64_t(0xabcdef) << 40 | uint64_t(0x12345) << 20 | 0x1ffff << 3;
        NS_TEST_EXPECT_MSG_EQ(records[0], want, "record");

        CreditHeader credit;
        credit.SetLane(3);
        credit.SetSent(0xabc);
        credit.SetLimit(0xfff);
        NS_TEST_EXPECT_MSG_EQ(credit.GetSerializedSize(), 6, "InfiniBand 7.9.4");
        NS_TEST_EXPECT_MSG_EQ(+RoundTrip(credit).GetLane(), 3, "lane");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(credit).GetSent(), 0xabc, "blocks sent");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(credit).GetLimit(), 0xfff, "blocks that may be sent");

        QbbSeqHeader seq;
        seq.SetSequence(123456789);
        seq.SetPriority(3);
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(seq).GetSequence(), 123456789, "sequence");
        QbbAckHeader ack;
        ack.SetSequence(42);
        ack.SetSourcePort(10000);
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(ack).GetSequence(), 42, "sequence");
        NS_TEST_EXPECT_MSG_EQ(RoundTrip(ack).GetSourcePort(), 10000, "port");
    }
};

/// Packets are as long as the library says, whatever their kind.
class PacketSize : public TestCase
{
  public:
    PacketSize()
        : TestCase("packets have their length on the wire")
    {
    }

  private:
    /**
     * \param content the packet
     * \param header bytes of header of a data packet
     */
    void Check(const qbb_packet& content, uint32_t header)
    {
        NS_TEST_EXPECT_MSG_EQ(QbbMakePacket(content, header)->GetSize(),
                              uint32_t(content.size),
                              "kind " << +content.kind << " with header " << header);
    }

    void DoRun() override
    {
        for (const bool withInt : {false, true})
        {
            for (const int32_t payload : {1, 1000})
            {
                const int32_t full = withInt ? 2 + 8 * 4 : 0;
                const int32_t quantised = withInt ? 42 : 0;
                auto native = MakeContent(QBB_PKT_DATA, 62 + payload + full, payload);
                auto reference = MakeContent(QBB_PKT_DATA, 48 + payload + quantised, payload);
                native.has_int = reference.has_int = withInt;
                native.n_hops = reference.n_hops = withInt ? 3 : 0;
                Check(native, 62);
                Check(reference, 48);
            }
            for (const uint8_t kind : {QBB_PKT_ACK, QBB_PKT_NACK})
            {
                auto native = MakeContent(kind, withInt ? 66 + 34 : 66, 0);
                auto reference = MakeContent(kind, withInt ? 88 : 60, 0);
                native.has_int = reference.has_int = withInt;
                Check(native, 62);
                Check(reference, 48);
            }
        }
        Check(MakeContent(QBB_PKT_PAUSE, 64, 0), 62);
        Check(MakeContent(QBB_PKT_PAUSE, 43, 0), 48);
        Check(MakeContent(QBB_PKT_CNP, 64, 0), 62);
        Check(MakeContent(QBB_PKT_CNP, 60, 0), 48);
        Check(MakeContent(QBB_PKT_GRANT, 64, 0), 62);
        Check(MakeContent(QBB_PKT_CNM, 64, 0), 62);
        Check(MakeContent(QBB_PKT_CREDIT, 8, 0), 62);
    }
};

/// A data packet can be taken apart layer by layer.
class PacketLayers : public TestCase
{
  public:
    PacketLayers()
        : TestCase("a data packet is RoCEv2 over Ethernet")
    {
    }

  private:
    void DoRun() override
    {
        auto content = MakeContent(QBB_PKT_DATA, 62 + 1000, 1000);
        content.flags = QBB_PKT_ECT | QBB_PKT_CE | QBB_PKT_LAST;
        auto packet = QbbMakePacket(content, 62);
        EthernetHeader ethernet(false);
        Ipv4Header ip;
        UdpHeader udp;
        BthHeader bth;
        packet->RemoveHeader(ethernet);
        NS_TEST_EXPECT_MSG_EQ(ethernet.GetLengthType(), 0x0800, "IPv4");
        packet->RemoveHeader(ip);
        NS_TEST_EXPECT_MSG_EQ(ip.GetSource(), Ipv4Address("11.1.2.1"), "node 258");
        NS_TEST_EXPECT_MSG_EQ(ip.GetDestination(), Ipv4Address("11.0.7.1"), "node 7");
        NS_TEST_EXPECT_MSG_EQ(ip.GetEcn(), Ipv4Header::ECN_CE, "congestion experienced");
        NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize(), 1062 - 14 - 20 - 4, "all but the FCS");
        packet->RemoveHeader(udp);
        NS_TEST_EXPECT_MSG_EQ(udp.GetDestinationPort(), 4791, "RoCEv2");
        NS_TEST_EXPECT_MSG_EQ(udp.GetSourcePort(), 10001, "source port");
        packet->RemoveHeader(bth);
        NS_TEST_EXPECT_MSG_EQ(+bth.GetOpcode(), +RDMA_SEND_LAST, "operation");
        NS_TEST_EXPECT_MSG_EQ(bth.GetQueuePair(), 77 + 2, "0 and 1 are for management");
        EthernetTrailer fcs;
        packet->RemoveTrailer(fcs);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1000 + 4, "payload and ICRC");
    }
};

/// The tests of packet headers.
class QbbHeaderTestSuite : public TestSuite
{
  public:
    QbbHeaderTestSuite()
        : TestSuite("qbb-header")
    {
        AddTestCase(new HeaderRoundTrip);
        AddTestCase(new PacketSize);
        AddTestCase(new PacketLayers);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbHeaderTestSuite g_qbbHeaderTestSuite; //!< the suite

} // namespace
