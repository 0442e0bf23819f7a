/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/applications-module.h"
#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-module.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using qbbtest::Counter;
using qbbtest::Star;

namespace
{

/// A star whose hosts have an IP stack at their ports of the RDMA network: 10.0.0.1 to 10.0.0.4.
class IpStar : public Star
{
  public:
    /**
     * \param options keys of the scenario and their values
     * \param bytes length of every RDMA message; 0: there are none
     */
    explicit IpStar(const std::vector<std::pair<std::string, std::string>>& options = {},
                    int64_t bytes = BYTES)
        : Star(options, bytes)
    {
        NetDeviceContainer ports;
        for (uint32_t id = 1; id < m_network->GetN(); id++)
        {
            ports.Add(m_network->GetNode(id)->GetPort(0));
        }
        InternetStackHelper().Install(m_hosts);
        m_interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(ports);
        for (uint32_t i = 0; i < m_hosts.GetN(); i++) // else ARP waits for up to 10 ms
        {
            m_hosts.Get(i)->GetObject<ArpL3Protocol>()->SetAttribute(
                "RequestJitter",
                StringValue("ns3::ConstantRandomVariable[Constant=0]"));
        }
    }

    /**
     * \brief Lets a host send UDP packets to host 3.
     * \param from the host
     * \param packets their number
     * \param interval time between them
     */
    void Udp(uint32_t from, uint32_t packets, Time interval)
    {
        if (m_server.GetN() == 0)
        {
            m_server = UdpServerHelper(9).Install(m_hosts.Get(3));
        }
        UdpClientHelper client(m_interfaces.GetAddress(3), 9);
        client.SetAttribute("MaxPackets", UintegerValue(packets));
        client.SetAttribute("Interval", TimeValue(interval));
        client.SetAttribute("PacketSize", UintegerValue(1000));
        client.Install(m_hosts.Get(from)).Start(MicroSeconds(1));
    }

    /// \return the UDP packets that host 3 has received
    uint64_t Received() const
    {
        return m_server.Get(0)->GetObject<UdpServer>()->GetReceived();
    }

    Ipv4InterfaceContainer m_interfaces; //!< of hosts 0 to 3
    ApplicationContainer m_server;       //!< of UDP packets, on host 3
};

/// UDP, TCP and RDMA go through the same switch; ARP finds the hosts.
class Together : public TestCase
{
  public:
    Together()
        : TestCase("IP and RDMA through the same ports")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t TCP = 1000000;
        IpStar star;
        star.Udp(0, 100, MicroSeconds(2));
        PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 80));
        auto sunk = sink.Install(star.m_hosts.Get(3));
        BulkSendHelper bulk("ns3::TcpSocketFactory",
                            InetSocketAddress(star.m_interfaces.GetAddress(3), 80));
        bulk.SetAttribute("MaxBytes", UintegerValue(TCP));
        bulk.Install(star.m_hosts.Get(1));
        FlowMonitorHelper helper;
        auto monitor = helper.InstallAll();
        Counter sent;
        auto port = star.m_network->GetNode(0)->GetPort(3);
        port->TraceConnectWithoutContext("MacTx", MakeCallback(&Counter::Packet, &sent));
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(star.m_count, 3, "RDMA flows that finish");
        NS_TEST_EXPECT_MSG_EQ(star.Received(), 100, "UDP packets");
        NS_TEST_EXPECT_MSG_EQ(sunk.Get(0)->GetObject<PacketSink>()->GetTotalRx(), TCP, "TCP bytes");
        const qbb_counters& c = star.m_counters.at(3);
        NS_TEST_EXPECT_MSG_EQ(sent.bytes, c.tx_bytes, "bytes traced and counted");
        NS_TEST_EXPECT_MSG_GT(c.tx_bytes, 3 * Star::BYTES + 100000 + int64_t(TCP), "all of it");
        NS_TEST_EXPECT_MSG_EQ(star.m_network->GetDatagrams().GetN(), 0, "packets still on their way");
        const auto stats = monitor->GetFlowStats();
        NS_TEST_EXPECT_MSG_EQ(stats.size(), 3, "IP flows: UDP, TCP both ways");
        for (const auto& [id, flow] : stats)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, flow.txPackets, "packets of IP flow " << id);
        }
    }
};

/// RDMA gets its half of a port that IP would fill, and IP the other half.
class Share : public TestCase
{
  public:
    Share()
        : TestCase("IP and RDMA share a port")
    {
    }

  private:
    void DoRun() override
    {
        IpStar star({{"cc", "none"}}, 1000000);
        star.Udp(0, 1000, NanoSeconds(40)); // 1000 bytes each: twice the rate of the port
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(star.m_count, 3, "RDMA flows that finish");
        NS_TEST_EXPECT_MSG_GT(star.Received(), 500, "UDP packets: the queue holds 100");
    }
};

/// Three hosts send more than the fourth can take: lossy, the switch drops; lossless, it pauses.
class Overload : public TestCase
{
  public:
    Overload()
        : TestCase("a lossy class of IP is dropped, a lossless one paused")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool lossy : {true, false})
        {
            IpStar star({{"buffer", "800KB"}, {"lossy", lossy ? "1" : ""}}, 0);
            for (uint32_t from = 0; from < 3; from++)
            {
                star.Udp(from, 2000, NanoSeconds(90));
            }
            star.Run();
            int64_t dropped = 0;
            int64_t pauses = 0;
            for (const auto& c : star.m_counters)
            {
                dropped += c.dropped_packets;
                pauses += c.pauses_sent;
            }
            NS_TEST_EXPECT_MSG_EQ((dropped > 0), lossy, "dropped " << dropped);
            NS_TEST_EXPECT_MSG_EQ((pauses > 0), !lossy, "pauses " << pauses);
            NS_TEST_EXPECT_MSG_GT(star.Received(), 2000, "some arrive");
            NS_TEST_EXPECT_MSG_EQ(star.m_network->GetDatagrams().GetN(), 0, "forgotten");
        }
    }
};

/// Packets lost on a link, or with it, are not kept; those sent after its return get through.
class Losses : public TestCase
{
  public:
    Losses()
        : TestCase("IP packets are lost on links")
    {
    }

  private:
    void DoRun() override
    {
        IpStar star({}, 0);
        auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(0.1);
        errors->AssignStreams(1);
        auto port = star.m_network->GetNode(4)->GetPort(0); // of host 3
        port->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        Counter lost;
        Counter refused;
        port->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Counter::Packet, &lost));
        auto source = star.m_network->GetNode(1)->GetPort(0); // of host 0
        source->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&Counter::Packet, &refused));
        star.Udp(0, 1000, MicroSeconds(1));
        auto link = star.m_network->GetChannel(0);
        Simulator::Schedule(MicroSeconds(300), &QbbChannel::SetUp, link, false);
        Simulator::Schedule(MicroSeconds(400), &QbbChannel::SetUp, link, true);
        star.Run();
        NS_TEST_EXPECT_MSG_GT(lost.packets, 50, "lost by the error model");
        NS_TEST_EXPECT_MSG_GT(refused.packets, 0, "ARP's request while the link was down");
        NS_TEST_EXPECT_MSG_GT(star.Received(), 700, "the rest");
        NS_TEST_EXPECT_MSG_LT(star.Received(), 860, "the rest");
        NS_TEST_EXPECT_MSG_EQ(star.m_network->GetDatagrams().GetN(), 0, "forgotten");
    }
};

/// Packets that cannot be carried are refused.
class Refusal : public TestCase
{
  public:
    Refusal()
        : TestCase("what ports refuse")
    {
    }

  private:
    void DoRun() override
    {
        Star star;
        auto port = star.m_network->GetNode(1)->GetPort(0);
        const auto other = star.m_network->GetNode(2)->GetPort(0)->GetAddress();
        Counter refused;
        port->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&Counter::Packet, &refused));
        NS_TEST_EXPECT_MSG_EQ(port->GetMtu(), 1044, "a full data packet of 1062 bytes");
        NS_TEST_EXPECT_MSG_EQ(port->SetMtu(1045), false, "longer than a data packet");
        NS_TEST_EXPECT_MSG_EQ(port->Send(Create<Packet>(1045), other, 0x800), false, "too long");
        NS_TEST_EXPECT_MSG_EQ(port->Send(Create<Packet>(100), Mac48Address::Allocate(), 0x800),
                              false,
                              "nobody's address");
        NS_TEST_EXPECT_MSG_EQ(port->Send(Create<Packet>(100), port->GetAddress(), 0x800),
                              false,
                              "its own address");
        NS_TEST_EXPECT_MSG_EQ(refused.bytes, 1245, "traced");
        NS_TEST_EXPECT_MSG_EQ(port->Send(Create<Packet>(1044), other, 0x800), true, "fits");
        auto middle = star.m_network->GetNode(0)->GetPort(0);
        NS_TEST_EXPECT_MSG_EQ(middle->Send(Create<Packet>(100), other, 0x800), false, "a switch");
        NS_TEST_EXPECT_MSG_EQ(port->GetDataRate(), DataRate("100Gbps"), "rate");
        NS_TEST_EXPECT_MSG_EQ(port->IsLinkUp(), true, "link");
        star.Run(MicroSeconds(10));
        Star large({{"mtu", "64KiB"}}, 0);
        port = large.m_network->GetNode(1)->GetPort(0);
        NS_TEST_EXPECT_MSG_EQ(port->GetMtu(), 65535, "the longest packet of IP");
    }
};

/// Listeners get what a protocol stack has sent, without Ethernet's header and trailer, and nothing of RDMA.
class Listeners : public TestCase
{
  public:
    Listeners()
        : TestCase("what listeners get")
    {
    }

  private:
    /**
     * \param packet a packet
     * \return true
     */
    bool Receive(Ptr<NetDevice> /* port */,
                 Ptr<const Packet> packet,
                 uint16_t /* protocol */,
                 const Address& /* source */)
    {
        m_received += packet->GetSize();
        return true;
    }

    /**
     * \param packet a packet
     * \return true
     */
    bool ReceiveAll(Ptr<NetDevice> /* port */,
                    Ptr<const Packet> packet,
                    uint16_t /* protocol */,
                    const Address& /* source */,
                    const Address& /* destination */,
                    NetDevice::PacketType /* type */)
    {
        m_receivedAll += packet->GetSize();
        return true;
    }

    void DoRun() override
    {
        Star star({}, Star::BYTES);
        auto port = star.m_network->GetNode(4)->GetPort(0); // where all messages arrive
        port->SetReceiveCallback(MakeCallback(&Listeners::Receive, this));
        port->SetPromiscReceiveCallback(MakeCallback(&Listeners::ReceiveAll, this));
        auto sender = star.m_network->GetNode(1)->GetPort(0);
        sender->Send(Create<Packet>(500), port->GetAddress(), 0x800);
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(m_received, 500, "bytes");
        NS_TEST_EXPECT_MSG_EQ(m_receivedAll, 500, "bytes, promiscuous");
        NS_TEST_EXPECT_MSG_EQ(star.m_count, 3, "RDMA messages");
    }

    uint32_t m_received{0};    //!< bytes
    uint32_t m_receivedAll{0}; //!< bytes, promiscuous
};

/// A port is reached at the address that it has now.
class Renamed : public TestCase
{
  public:
    Renamed()
        : TestCase("ports that change their addresses")
    {
    }

  private:
    void DoRun() override
    {
        Star star({}, 0);
        std::vector<Ptr<QbbNetDevice>> ports;
        std::vector<Counter> received(4);
        for (uint32_t i = 0; i < 4; i++)
        {
            ports.push_back(star.m_network->GetNode(1 + i)->GetPort(0));
            ports[i]->TraceConnectWithoutContext("MacRx",
                                                 MakeCallback(&Counter::Packet, &received[i]));
        }
        const auto first = ports[1]->GetAddress();
        const auto send = [&](Address to) {
            return ports[0]->Send(Create<Packet>(1000), to, 0x800);
        };
        for (const auto* packet : {"on the link", "in the NIC", "in the queue"})
        {
            NS_TEST_EXPECT_MSG_EQ(send(first), true, packet);
        }
        ports[1]->SetAddress(Mac48Address::Allocate());
        NS_TEST_EXPECT_MSG_EQ(send(ports[1]->GetAddress()), true, "a new address");
        NS_TEST_EXPECT_MSG_EQ(send(first), false, "the address that nobody has any more");
        ports[2]->SetAddress(ports[1]->GetAddress());
        ports[1]->SetAddress(Mac48Address::Allocate());
        NS_TEST_EXPECT_MSG_EQ(send(ports[2]->GetAddress()), true, "the address of another");
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(received[1].packets, 2, "what had left the queue");
        NS_TEST_EXPECT_MSG_EQ(received[2].packets, 2, "what its address has waited for, and more");
        NS_TEST_EXPECT_MSG_EQ(star.m_network->GetDatagrams().GetN(), 0, "forgotten");
    }
};

/// The tests of IP over RDMA networks.
class QbbIpTestSuite : public TestSuite
{
  public:
    QbbIpTestSuite()
        : TestSuite("qbb-ip", Type::SYSTEM)
    {
        AddTestCase(new Together);
        AddTestCase(new Share);
        AddTestCase(new Overload);
        AddTestCase(new Losses);
        AddTestCase(new Refusal);
        AddTestCase(new Listeners);
        AddTestCase(new Renamed);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbIpTestSuite g_qbbIpTestSuite; //!< the suite

} // namespace
