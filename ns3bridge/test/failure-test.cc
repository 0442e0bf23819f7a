/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

#include <sstream>
#include <string>

using namespace ns3;
using qbbtest::Star;

namespace
{

/// A link that fails for good keeps flows from finishing; one that returns does not.
class Failure : public TestCase
{
  public:
    Failure()
        : TestCase("links fail and return")
    {
    }

  private:
    /**
     * \param network the network
     * \param link the number of a link
     * \param up whether it works from now on
     */
    static void SetUp(Ptr<QbbNetwork> network, uint32_t link, bool up)
    {
        network->Begin(QbbNow());
        network->GetChannel(link)->SetUp(up);
        network->Reroute();
    }

    void DoRun() override
    {
        for (const bool returns : {false, true})
        {
            Star star;
            Simulator::Schedule(MicroSeconds(10), &Failure::SetUp, star.m_network, 0, false);
            if (returns)
            {
                Simulator::Schedule(MicroSeconds(50), &Failure::SetUp, star.m_network, 0, true);
            }
            star.Run(MilliSeconds(20));
            NS_TEST_EXPECT_MSG_EQ(star.m_count, returns ? 3 : 2, "flows that finish: " << returns);
        }
    }
};

/// A flow that is opened by who hears of another's failure times out as one that is opened just after.
class Reopening : public TestCase
{
  public:
    Reopening()
        : TestCase("flows opened while an answer of the library is carried out")
    {
    }

  private:
    /**
     * \brief Opens a flow of host 0 of the star, which is node 1.
     * \param dst where it ends
     */
    void Open(uint32_t dst)
    {
        qbb_message message{};
        message.src = 1;
        message.dst = dst;
        message.prio = 3;
        message.bytes = 20000;
        message.start = Simulator::Now().GetPicoSeconds();
        m_network->Open(1,
                        m_network->AddFlow(message),
                        MakeCallback(&Reopening::Ended, this).Bind(dst));
    }

    /**
     * \brief A flow has ended, and is opened again if it has failed.
     * \param dst where it ends
     * \param finished whether all of it was acknowledged
     */
    void Ended(uint32_t dst, bool finished)
    {
        m_ends << Simulator::Now() << " " << dst << " " << finished << "\n";
        if (finished)
        {
            return;
        }
        if (m_within)
        {
            Open(dst);
        }
        else
        {
            Simulator::ScheduleNow(&Reopening::Open, this, dst);
        }
    }

    /**
     * \param within whether flows are opened within the report of a failure
     * \return the ends of flows
     */
    std::string Ends(bool within)
    {
        Star star({{"options.retries", "2"}, {"options.rto", "1ms"}}, 0);
        m_network = star.m_network;
        m_within = within;
        m_ends.str("");
        for (uint32_t dst : {2, 3})
        {
            auto port = m_network->GetHost(dst)->GetPort(0);
            auto channel = DynamicCast<QbbChannel>(port->GetChannel());
            channel->SetUp(false);
            Simulator::Schedule(MilliSeconds(30), &QbbChannel::SetUp, channel, true);
            Simulator::Schedule(MicroSeconds(2500 * dst), &Reopening::Open, this, dst);
        }
        star.Run();
        m_network = nullptr;
        return m_ends.str();
    }

    void DoRun() override
    {
        const std::string after = Ends(false);
        NS_TEST_EXPECT_MSG_EQ(Ends(true), after, "flows that fail and are opened again");
        NS_TEST_EXPECT_MSG_NE(after.find(" 0\n"), std::string::npos, "a failure");
        NS_TEST_EXPECT_MSG_NE(after.find(" 1\n"), std::string::npos, "a flow that finishes");
    }

    Ptr<QbbNetwork> m_network; //!< in use
    std::ostringstream m_ends; //!< time, destination and outcome of flows
    bool m_within{false};      //!< flows are opened within the report of a failure
};

/// The tests of links that fail, and of flows that do.
class QbbFailureTestSuite : public TestSuite
{
  public:
    QbbFailureTestSuite()
        : TestSuite("qbb-failure", Type::SYSTEM)
    {
        AddTestCase(new Failure);
        AddTestCase(new Reopening);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbFailureTestSuite g_qbbFailureTestSuite; //!< the suite

} // namespace
