/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-module.h"
#include "ns3/pcap-file.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using qbbtest::Counter;
using qbbtest::Star;

namespace
{

/// Watching changes nothing, and the trace sources agree with the library's counters.
class Watching : public TestCase
{
  public:
    Watching()
        : TestCase("tracing changes nothing and sees everything")
    {
    }

  private:
    void DoRun() override
    {
        Star plain;
        plain.Run();
        Star watched;
        Counter sent;
        Counter received;
        auto port = watched.m_network->GetNode(0)->GetPort(3); // towards host 3
        port->TraceConnectWithoutContext("MacTx", MakeCallback(&Counter::Packet, &sent));
        port->TraceConnectWithoutContext("MacRx", MakeCallback(&Counter::Packet, &received));
        const std::string file = CreateTempDirFilename("star.pcap");
        watched.m_helper.EnablePcap(file, port, true, true);
        const std::string text = CreateTempDirFilename("star.tr");
        watched.m_helper.EnableAscii(text, watched.m_network->GetNode(0)->GetPort(3), true);
        const std::string shared = CreateTempDirFilename("all.tr");
        AsciiTraceHelper ascii;
        watched.m_helper.EnableAscii(ascii.CreateFileStream(shared), NetDeviceContainer(port));
        watched.Run();
        port = nullptr; // closes the files
        NS_TEST_EXPECT_MSG_EQ(plain.m_count, 3, "all flows finish");
        NS_TEST_EXPECT_MSG_EQ(plain.m_completed.str(),
                              watched.m_completed.str(),
                              "completion times");
        const qbb_counters& c = watched.m_counters.at(3);
        NS_TEST_EXPECT_MSG_EQ(sent.packets, c.tx_packets, "packets sent");
        NS_TEST_EXPECT_MSG_EQ(sent.bytes, c.tx_bytes, "bytes sent");
        NS_TEST_EXPECT_MSG_EQ(received.bytes, c.rx_bytes, "bytes received");
        NS_TEST_EXPECT_MSG_GT(c.tx_bytes, 3 * Star::BYTES, "all messages");

        PcapFile pcap;
        pcap.Open(file, std::ios::in);
        int64_t packets = 0;
        int64_t bytes = 0;
        for (;;)
        {
            uint8_t data[2048];
            uint32_t sec;
            uint32_t usec;
            uint32_t incl;
            uint32_t orig;
            uint32_t read;
            pcap.Read(data, sizeof data, sec, usec, incl, orig, read);
            if (pcap.Eof())
            {
                break;
            }
            packets++;
            bytes += orig;
        }
        NS_TEST_EXPECT_MSG_EQ(packets, c.tx_packets + c.rx_packets, "packets captured");
        NS_TEST_EXPECT_MSG_EQ(bytes, c.tx_bytes + c.rx_bytes, "bytes captured");

        std::ifstream lines(text);
        int64_t count = 0;
        for (std::string line; std::getline(lines, line);)
        {
            count++;
        }
        NS_TEST_EXPECT_MSG_EQ(count, c.tx_packets + c.rx_packets, "lines of the ASCII trace");

        std::ifstream together(shared);
        for (std::string line; std::getline(together, line);)
        {
            const bool named = line.find("/$ns3::QbbNetDevice/") != std::string::npos;
            NS_TEST_ASSERT_MSG_EQ(named, true, "the device of a line in a shared stream: " << line);
            count--;
        }
        NS_TEST_EXPECT_MSG_EQ(count, 0, "lines of the ASCII trace in a stream");
    }
};

/// Captures are of Ethernet frames: InfiniBand's credit packets are left out.
class Captures : public TestCase
{
  public:
    Captures()
        : TestCase("captures without credit packets")
    {
    }

  private:
    void DoRun() override
    {
        Star star({{"cc", "ib-cc"}, {"flow_control", "credits"}}, Star::BYTES);
        Counter captured;
        auto port = star.m_network->GetNode(0)->GetPort(3); // towards host 3
        port->TraceConnectWithoutContext("PromiscSniffer",
                                         MakeCallback(&Counter::Packet, &captured));
        star.Run();
        const qbb_counters& near = star.m_counters.at(3);
        const qbb_counters& far = star.m_counters.at(7);
        NS_TEST_EXPECT_MSG_GT(near.link_bytes + far.link_bytes, 0, "credits");
        NS_TEST_EXPECT_MSG_EQ(captured.bytes,
                              near.tx_bytes + near.rx_bytes - near.link_bytes - far.link_bytes,
                              "bytes captured");
    }
};

/// The trace source of queues reports every change of every port of a switch, and changes nothing.
class Queues : public TestCase
{
  public:
    Queues()
        : TestCase("the depth of queues, as it changes")
    {
    }

  private:
    /**
     * \param port of the switch
     * \param before what was told last
     * \param now bytes that are queued
     */
    void Depth(Ptr<const QbbNetDevice> port, int64_t before, int64_t now)
    {
        const uint32_t at = port->GetPort();
        NS_TEST_EXPECT_MSG_EQ(before, m_now.at(at), "depth before, port " << at);
        NS_TEST_EXPECT_MSG_NE(before, now, "a change");
        NS_TEST_EXPECT_MSG_EQ(now, m_switch->GetDepth(at), "depth now, port " << at);
        m_now[at] = now;
        m_most[at] = std::max(m_most[at], now);
    }

    void DoRun() override
    {
        Star plain;
        plain.Run();
        Star star;
        m_switch = star.m_middle->GetObject<QbbSwitch>();
        Config::ConnectWithoutContext("/NodeList/*/$ns3::QbbSwitch/QueueDepth",
                                      MakeCallback(&Queues::Depth, this));
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(plain.m_completed.str(), star.m_completed.str(), "completion times");
        for (uint32_t port = 0; port < m_now.size(); port++)
        {
            NS_TEST_EXPECT_MSG_EQ(m_now[port], 0, "queued at the end, port " << port);
        }
        NS_TEST_EXPECT_MSG_GT(m_most[3], 10000, "three senders and one receiver");
        NS_TEST_EXPECT_MSG_EQ(m_most[3], star.m_counters.at(3).max_queue, "the deepest");
    }

    Ptr<QbbSwitch> m_switch;          //!< of the star
    std::array<int64_t, 4> m_now{};   //!< bytes, by port
    std::array<int64_t, 4> m_most{};  //!< bytes, by port
};

/// A client's tag chooses its congestion control.
class Tags : public TestCase
{
  public:
    Tags()
        : TestCase("several schemes in a network")
    {
    }

  private:
    void DoRun() override
    {
        Star star({{"cc", "dcqcn"}, {"cc_by_tag.far", "hpcc"}}, Star::BYTES);
        star.m_clients.Get(1)->SetAttribute("Tag", StringValue("far"));
        std::array<int32_t, 3> src{};
        std::array<uint8_t, 3> scheme{};
        qbb_flow_columns columns{};
        columns.size = sizeof columns;
        columns.src = src.data();
        columns.scheme = scheme.data();
        Simulator::Schedule(MicroSeconds(1), [&] {
            const int rows = qbb_run_flows(star.m_network->GetRun(), 0, 3, &columns);
            NS_TEST_EXPECT_MSG_EQ(rows, 3, "flows");
        });
        const int32_t tagged = star.m_clients.Get(1)->GetNode()->GetObject<QbbHost>()->GetId();
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(star.m_count, 3, "flows that finish");
        for (std::size_t i = 0; i < src.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(+scheme[i], (src[i] == tagged), "scheme of a flow from " << src[i]);
        }
    }
};

/// ns-3's error models lose packets; the transport sends them again.
class Errors : public TestCase
{
  public:
    Errors()
        : TestCase("an error model loses packets")
    {
    }

  private:
    void DoRun() override
    {
        Star star;
        auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(0.01);
        errors->AssignStreams(1);
        auto port = star.m_network->GetNode(4)->GetPort(0); // of host 3
        port->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        Counter lost;
        port->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Counter::Packet, &lost));
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(star.m_count, 3, "all flows finish");
        NS_TEST_EXPECT_MSG_GT(lost.packets, 0, "losses");
        const qbb_counters& at = star.m_counters.at(3);
        const qbb_counters& host = star.m_counters.at(7);
        NS_TEST_EXPECT_MSG_EQ(at.tx_packets,
                              host.rx_packets + lost.packets,
                              "sent = received + lost");
    }
};

/// RDMA and IP share nodes and the clock, each with its FlowMonitor.
class Coexistence : public TestCase
{
  public:
    Coexistence()
        : TestCase("RDMA, IP and FlowMonitor on the same nodes")
    {
    }

  private:
    void DoRun() override
    {
        Star alone;
        alone.Run();

        Star star;
        InternetStackHelper().Install(star.m_hosts);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        auto devices = csma.Install(NodeContainer(star.m_hosts.Get(0), star.m_hosts.Get(3)));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        auto interfaces = addresses.Assign(devices);
        UdpServerHelper server(9);
        auto served = server.Install(star.m_hosts.Get(3));
        UdpClientHelper client(interfaces.GetAddress(1), 9);
        client.SetAttribute("MaxPackets", UintegerValue(20));
        client.SetAttribute("Interval", TimeValue(MilliSeconds(20))); // ARP takes up to 10
        client.Install(star.m_hosts.Get(0));
        FlowMonitorHelper ip;
        auto ipMonitor = ip.InstallAll();
        QbbFlowMonitorHelper rdma;
        auto monitor = rdma.Install(star.m_helper.GetNodes());
        star.Run();

        NS_TEST_EXPECT_MSG_EQ(star.m_completed.str(), alone.m_completed.str(), "completion times");
        NS_TEST_EXPECT_MSG_EQ(served.Get(0)->GetObject<UdpServer>()->GetReceived(),
                              20,
                              "UDP packets");
        NS_TEST_EXPECT_MSG_EQ(ipMonitor->GetFlowStats().size(), 1, "IP flows");
        const auto& stats = monitor->GetFlowStats();
        NS_TEST_ASSERT_MSG_EQ(stats.size(), 3, "RDMA flows");
        for (const auto& [id, flow] : stats)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, Star::BYTES / 1000, "packets of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 0, "losses of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(flow.timesForwarded, Star::BYTES / 1000, "one switch");
            NS_TEST_EXPECT_MSG_EQ(rdma.GetClassifier()->FindFlow(id).srcPort, 10000, "port");
        }
        std::ostringstream xml;
        monitor->SerializeToXmlStream(xml, 0, false, true);
        NS_TEST_EXPECT_MSG_NE(xml.str().find("<QbbFlowClassifier>"), std::string::npos, "XML");
    }
};

/// A short packet that fills up an Ethernet frame can be cut again, with the names of headers kept too.
class ShortPackets : public TestCase
{
  public:
    ShortPackets()
        : TestCase("short packets whose headers are named")
    {
    }

  private:
    void DoRun() override
    {
        Packet::EnablePrinting(); // as EnableAscii and animations do
        Star star({}, 0);
        auto port = star.m_network->GetNode(2)->GetPort(0);
        std::ostringstream text;
        port->SetReceiveCallback(
            Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>(
                [&](Ptr<NetDevice>, Ptr<const Packet> received, uint16_t, const Address&) {
                    auto packet = received->Copy();
                    packet->RemoveAtEnd(packet->GetSize() - 12); // as IP does
                    packet->Print(text);
                    return true;
                }));
        auto packet = Create<Packet>(4);
        packet->AddHeader(UdpHeader());
        star.m_network->GetNode(1)->GetPort(0)->Send(packet, port->GetAddress(), 0x800);
        star.Run();
        NS_TEST_EXPECT_MSG_NE(text.str().find("Payload (size=4)"), std::string::npos, text.str());
    }
};

/// The tests of networks.
class QbbNetworkTestSuite : public TestSuite
{
  public:
    QbbNetworkTestSuite()
        : TestSuite("qbb-network", Type::SYSTEM)
    {
        AddTestCase(new Watching);
        AddTestCase(new ShortPackets);
        AddTestCase(new Captures);
        AddTestCase(new Queues);
        AddTestCase(new Tags);
        AddTestCase(new Errors);
        AddTestCase(new Coexistence);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbNetworkTestSuite g_qbbNetworkTestSuite; //!< the suite

} // namespace
