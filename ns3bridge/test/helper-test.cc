/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/core-module.h"
#include "ns3/ethernet-header.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using qbbtest::Star;

namespace
{

/**
 * \param duration for how long flows start
 * \param stop when the scenario stops; "": with its last flow
 * \return a network whose flows are scheduled
 */
Ptr<QbbNetwork>
Make(const std::string& duration, const std::string& stop = "")
{
    QbbHelper helper;
    helper.Set("topology", "star:n=4");
    helper.Set("workload", "websearch");
    helper.Set("load", "0.3");
    helper.Set("duration", duration);
    if (!stop.empty())
    {
        helper.Set("stop", stop);
    }
    auto network = helper.Install();
    helper.Start(network);
    return network;
}

/// What QbbHelper::Start has scheduled needs the helper no longer, and is put away at the end.
class Scope : public TestCase
{
  public:
    Scope()
        : TestCase("the scenario of a helper that is gone")
    {
    }

  private:
    void DoRun() override
    {
        const auto live = qbb_live();
        auto network = Make("1ms");
        Simulator::Run();
        const qbb_progress progress = network->GetProgress();
        NS_TEST_EXPECT_MSG_GT(progress.flows, 0, "flows");
        NS_TEST_EXPECT_MSG_EQ(progress.ended, progress.flows, "flows that have ended");
        network = nullptr;
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(qbb_live(), live, "handles");
    }
};

/// A scenario with flows ends with them; one without lasts as long as the applications.
class End : public TestCase
{
  public:
    End()
        : TestCase("the end of a scenario")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool flows : {false, true})
        {
            Star star;
            QbbHelper other;
            if (flows)
            {
                other.Set("workload", "websearch");
                other.Set("load", "0.3");
                other.Set("duration", "100us");
            }
            other.Set("topology", "star:n=4");
            other.Start(other.Install());
            star.m_helper.Start(star.m_network);
            star.m_clients.Get(2)->SetStartTime(MilliSeconds(500)); // no flow until then
            star.Run();
            NS_TEST_EXPECT_MSG_EQ(star.m_count, (flows ? 2 : 3), "flows of applications: " << flows);
        }
    }
};

/// A simulation of several scenarios goes on until the flows of all have ended.
class EndOfAll : public TestCase
{
  public:
    EndOfAll()
        : TestCase("the end of several scenarios")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& durations : {std::pair("100us", "1ms"), std::pair("1ms", "100us")})
        {
            const auto networks = {Make(durations.first), Make(durations.second)};
            Simulator::Run();
            for (const auto& network : networks)
            {
                const qbb_progress progress = network->GetProgress();
                NS_TEST_EXPECT_MSG_GT(progress.flows, 0, "flows");
                NS_TEST_EXPECT_MSG_EQ(progress.ended, progress.flows, "flows that have ended");
            }
            Simulator::Destroy();
        }
        Make("100us");
        Make("100us", "30ms");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(30), "the time to stop");
        Simulator::Destroy();
    }
};

/// Every port has a queue of its own, whatever the defaults are, and it is as long as it is told.
class Queues : public TestCase
{
  public:
    Queues()
        : TestCase("queues of ports")
    {
    }

  private:
    /// \param frame that one of the ports sends
    void Sent(std::string context, Ptr<const Packet> frame)
    {
        EthernetHeader header(false);
        frame->PeekHeader(header);
        const auto port = m_ports.at(std::stoi(context));
        NS_TEST_EXPECT_MSG_EQ(header.GetSource(), port->GetAddress(), "the source of a frame");
        m_sent++;
    }

    void DoRun() override
    {
        Config::SetDefaultFailSafe("ns3::QbbSendQueue::Queue",
                                   StringValue("ns3::DropTailQueue<Packet>[MaxSize=50p]"));
        Star star({}, 0);
        Config::Reset();
        Config::Set("/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/SendQueue/Queue/MaxSize",
                    StringValue("2p"));
        for (uint32_t i = 0; i < 3; i++)
        {
            m_ports.push_back(star.m_network->GetNode(1 + i)->GetPort(0));
            m_ports[i]->TraceConnect("MacTx",
                                     std::to_string(i),
                                     MakeCallback(&Queues::Sent, this));
        }
        int taken = 0;
        for (const auto& port : m_ports)
        {
            for (int i = 0; i < 5; i++)
            {
                const auto to = m_ports[port == m_ports[0] ? 1 : 0]->GetAddress();
                taken += port->Send(Create<Packet>(1000), to, 0x800);
            }
        }
        star.Run();
        NS_TEST_EXPECT_MSG_EQ(taken, 3 * 4, "one on the link, one in the NIC, two in the queue");
        NS_TEST_EXPECT_MSG_EQ(m_sent, taken, "what was taken");
    }

    std::vector<Ptr<QbbNetDevice>> m_ports; //!< of hosts 0 to 2
    int m_sent{0};                          //!< frames
};

/// A flow whose port at the source is counted tells it, once it has started.
class SourcePorts : public TestCase
{
  public:
    SourcePorts()
        : TestCase("ports of flows")
    {
    }

  private:
    void DoRun() override
    {
        Star star;
        RdmaClientHelper again(star.m_hosts.Get(3), 1000);
        star.m_clients.Add(again.Install(star.m_hosts.Get(0)));
        again.SetAttribute("SourcePort", UintegerValue(77));
        star.m_clients.Add(again.Install(star.m_hosts.Get(0)));
        const auto clients = star.m_clients;
        NS_TEST_EXPECT_MSG_EQ(Port(clients, 0), 0, "before the start");
        star.Run();
        const std::vector<uint16_t> ports{10000, 10000, 10000, 10001, 77};
        for (uint32_t i = 0; i < clients.GetN(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ(Port(clients, i), ports[i], "client " << i);
        }
    }

    /**
     * \param clients applications
     * \param i the number of one
     * \return its port at the source
     */
    static uint16_t Port(const ApplicationContainer& clients, uint32_t i)
    {
        return DynamicCast<RdmaClient>(clients.Get(i))->GetSourcePort();
    }
};

/// Applications that a scenario's flows are have the attributes of these flows.
class ScenarioFlows : public TestCase
{
  public:
    ScenarioFlows()
        : TestCase("attributes of a scenario's flows")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("flows.csv");
        std::ofstream(file) << "src,dst,bytes,start_ns,prio,src_port,dst_port,tag\n"
                               "0,1,2000,0,3,,,\n0,2,3000,500,5,77,88,bulk\n0,1,4000,900,3,,,\n";
        CreateObject<Node>(); // numbers in the network are others
        QbbHelper helper;
        helper.Set("profile", "ns3");
        helper.Set("topology", "star:n=3");
        helper.Set("flows", file);
        helper.Set("cc_by_tag.bulk", "dctcp");
        auto network = helper.Install();
        helper.Start(network);
        Simulator::Run();
        const auto nodes = helper.GetNodes();
        NS_TEST_ASSERT_MSG_EQ(nodes.Get(0)->GetNApplications(), 3, "applications");
        Expect(nodes.Get(0)->GetApplication(0), nodes.Get(1), "2000 3 10000 100 ");
        Expect(nodes.Get(0)->GetApplication(1), nodes.Get(2), "3000 5 77 88 bulk");
        Expect(nodes.Get(0)->GetApplication(2), nodes.Get(1), "4000 3 10001 100 ");
        Simulator::Destroy();
    }

    /**
     * \param client the application of a flow
     * \param remote where it ends
     * \param want its other attributes
     */
    void Expect(Ptr<Application> client, Ptr<Node> remote, const std::string& want)
    {
        std::string got;
        for (const auto name : {"Bytes", "Priority", "SourcePort", "DestinationPort", "Tag"})
        {
            StringValue value;
            client->GetAttribute(name, value);
            got += got.empty() ? "" : " ";
            got += value.Get();
        }
        PointerValue node;
        client->GetAttribute("Remote", node);
        NS_TEST_EXPECT_MSG_EQ(got, want, "attributes");
        NS_TEST_EXPECT_MSG_EQ(node.Get<Node>(), remote, "where the flow ends");
    }
};

/// The tests of what QbbHelper makes, and of what QbbHelper::Start schedules.
class QbbHelperTestSuite : public TestSuite
{
  public:
    QbbHelperTestSuite()
        : TestSuite("qbb-helper", Type::SYSTEM)
    {
        AddTestCase(new Scope);
        AddTestCase(new End);
        AddTestCase(new EndOfAll);
        AddTestCase(new Queues);
        AddTestCase(new SourcePorts);
        AddTestCase(new ScenarioFlows);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbHelperTestSuite g_qbbHelperTestSuite; //!< the suite

} // namespace
