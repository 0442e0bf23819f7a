/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

using namespace ns3;
using qbbtest::Star;

namespace
{

/// What QbbHelper::Start has scheduled needs the helper no longer, and is put away at the end.
class Scope : public TestCase
{
  public:
    Scope()
        : TestCase("the scenario of a helper that is gone")
    {
    }

  private:
    /// \return a network whose flows are scheduled
    static Ptr<QbbNetwork> Make()
    {
        QbbHelper helper;
        helper.Set("topology", "star:n=4");
        helper.Set("workload", "websearch");
        helper.Set("load", "0.3");
        helper.Set("duration", "1ms");
        auto network = helper.Install();
        helper.Start(network);
        return network;
    }

    void DoRun() override
    {
        const auto live = qbb_live();
        auto network = Make();
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

/// The tests of what QbbHelper::Start schedules.
class QbbHelperTestSuite : public TestSuite
{
  public:
    QbbHelperTestSuite()
        : TestSuite("qbb-helper", Type::SYSTEM)
    {
        AddTestCase(new Scope);
        AddTestCase(new End);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbHelperTestSuite g_qbbHelperTestSuite; //!< the suite

} // namespace
