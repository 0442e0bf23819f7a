/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/// The scenario that all schemes run, with the options of profile native but for the order of
/// events of equal time.
const std::string g_scenario = R"(
topology: fat-tree:thesis
workload: websearch
load: 0.5
duration: 50us
incast: 8x100KB
options: {order: schedule}
)";

/**
 * \param path the name of a file
 * \return its content
 */
std::string
Content(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A scenario has the same results inside ns-3 and in the library's own event loop.
class SameResults : public TestCase
{
  public:
    /**
     * \param scheme name of the scheme
     * \param key another key that is set, or ""
     * \param value its value
     */
    SameResults(const std::string& scheme, const std::string& key, const std::string& value)
        : TestCase("the same results as standalone: " + scheme + " " + key + " " + value),
          m_scheme(scheme),
          m_key(key),
          m_value(value)
    {
    }

  private:
    /**
     * \brief Runs the scenario in the library's own event loop.
     * \param scenario its file
     * \param to the folder of the outputs
     * \return the number of flows that have ended
     */
    int64_t Standalone(const std::string& scenario, const std::string& to)
    {
        qbb_scenario options;
        qbb_run run;
        QbbCheck(qbb_scenario_load(scenario.c_str(), &options));
        QbbCheck(qbb_scenario_set(options, "cc", m_scheme.c_str()));
        if (!m_key.empty())
        {
            QbbCheck(qbb_scenario_set(options, m_key.c_str(), m_value.c_str()));
        }
        QbbCheck(qbb_run_new(options, 0, &run));
        QbbCheck(qbb_run_write(run, QBB_FCT_TXT, (to + "fct.txt").c_str()));
        QbbCheck(qbb_run_write(run, QBB_PFC_TXT, (to + "pfc.txt").c_str()));
        while (QbbCheck(qbb_run_until(run, QBB_NEVER, 0)))
        {
        }
        QbbCheck(qbb_run_finish(run));
        qbb_progress progress;
        progress.size = sizeof progress;
        QbbCheck(qbb_run_progress(run, &progress));
        QbbCheck(qbb_run_free(run));
        QbbCheck(qbb_scenario_free(options));
        return progress.ended;
    }

    /**
     * \brief Runs it inside ns-3.
     * \param scenario its file
     * \param to the folder of the outputs
     * \return the number of flows that have ended
     */
    int64_t Hosted(const std::string& scenario, const std::string& to)
    {
        QbbHelper helper(scenario);
        helper.Set("cc", m_scheme);
        if (!m_key.empty())
        {
            helper.Set(m_key, m_value);
        }
        auto network = helper.Install();
        network->Write(QBB_FCT_TXT, to + "fct.txt");
        network->Write(QBB_PFC_TXT, to + "pfc.txt");
        helper.Start(network);
        Simulator::Run();
        network->Finish();
        const int64_t ended = network->GetProgress().ended;
        Simulator::Destroy();
        return ended;
    }

    void DoRun() override
    {
        const std::string scenario = CreateTempDirFilename("scenario.yaml");
        std::ofstream(scenario) << g_scenario;
        const std::string alone = CreateTempDirFilename("alone-");
        const std::string hosted = CreateTempDirFilename("hosted-");
        const int64_t ended = Standalone(scenario, alone);
        NS_TEST_EXPECT_MSG_EQ(Hosted(scenario, hosted), ended, "flows that have ended");
        NS_TEST_EXPECT_MSG_GT(ended, 10, "flows: this tests too little");
        NS_TEST_EXPECT_MSG_EQ((Content(hosted + "fct.txt") == Content(alone + "fct.txt")),
                              true,
                              hosted << "fct.txt and " << alone << "fct.txt differ");
        NS_TEST_EXPECT_MSG_EQ((Content(hosted + "pfc.txt") == Content(alone + "pfc.txt")),
                              true,
                              hosted << "pfc.txt and " << alone << "pfc.txt differ");
        NS_TEST_EXPECT_MSG_EQ(Content(alone + "fct.txt").empty(), false, "no completion times");
    }

    std::string m_scheme; //!< name of the scheme
    std::string m_key;    //!< another key
    std::string m_value;  //!< its value
};

/// The same results for every scheme of the catalog.
class QbbIdentityTestSuite : public TestSuite
{
  public:
    QbbIdentityTestSuite()
        : TestSuite("qbb-identity", SYSTEM)
    {
        QbbCheck(qbb_open(QBB_ABI_VERSION));
        for (uint32_t i = 0; qbb_scheme_name(i); i++)
        {
            AddTestCase(new SameResults(qbb_scheme_name(i), "", ""), TestCase::QUICK);
        }
        AddTestCase(new SameResults("hpcc", "loss", "0.001"), TestCase::QUICK);
        AddTestCase(new SameResults("dcqcn", "links", "{at: 20us, down: 16-20}"), TestCase::QUICK);
        AddTestCase(new SameResults("ib-cc", "flow_control", "credits"), TestCase::QUICK);
        AddTestCase(new SameResults("dctcp", "host.recovery", "selective"), TestCase::QUICK);
        AddTestCase(new SameResults("hpcc", "patterns", "permutation:100KB"), TestCase::QUICK);
    }
};

QbbIdentityTestSuite g_qbbIdentityTestSuite; //!< the suite

} // namespace
