/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/// The scenario that all schemes run, with the options of profile native except for the order of
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
    /// Keys of a scenario and their values.
    using Keys = std::vector<std::pair<std::string, std::string>>;

    /**
     * \param what is tested
     * \param keys that are set
     */
    SameResults(const std::string& what, const Keys& keys)
        : TestCase("the same results as standalone: " + what),
          m_keys(keys)
    {
    }

  protected:
    void DoRun() override;

    Keys m_keys; //!< that are set

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
        for (const auto& [key, value] : m_keys)
        {
            QbbCheck(qbb_scenario_set(options, key.c_str(), value.c_str()));
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
        for (const auto& [key, value] : m_keys)
        {
            helper.Set(key, value);
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
};

void
SameResults::DoRun()
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

/// So has a scenario with flows from a file that wait for others.
class SameDependentFlows : public SameResults
{
  public:
    SameDependentFlows()
        : SameResults("flows that wait for others", {{"workload", "none"}, {"incast", ""}})
    {
    }

  private:
    void DoRun() override
    {
        const std::string flows = CreateTempDirFilename("flows.csv");
        std::ofstream file(flows);
        file << "src,dst,bytes,start_ns,after\n";
        for (int i = 0; i < 8; i++) // two messages at once, then chains of answers
        {
            file << i << "," << i + 8 << "," << 20000 * (i + 1) << "," << 1000 * (i / 2) << ",\n";
        }
        for (int i = 0; i < 16; i++)
        {
            const int src = i % 8 + (i < 8 ? 8 : 0);
            file << src << "," << (src + 8) % 16 << ",5000," << 100 * (i % 3) << "," << i << "\n";
        }
        file.close();
        m_keys.emplace_back("flows", flows);
        SameResults::DoRun();
    }
};

/// The same results for every scheme of the catalog.
class QbbIdentityTestSuite : public TestSuite
{
  public:
    QbbIdentityTestSuite()
        : TestSuite("qbb-identity", Type::SYSTEM)
    {
        QbbCheck(qbb_open(QBB_ABI_VERSION));
        for (uint32_t i = 0; qbb_scheme_name(i); i++)
        {
            const std::string name = qbb_scheme_name(i);
            AddTestCase(new SameResults(name, {{"cc", name}}));
        }
        const auto add = [this](const std::string& what, const SameResults::Keys& keys) {
            AddTestCase(new SameResults(what, keys));
        };
        add("losses", {{"cc", "hpcc"}, {"loss", "0.001"}});
        add("a failing link", {{"cc", "dcqcn"}, {"links", "{at: 20us, down: 16-20}"}});
        add("credits", {{"cc", "ib-cc"}, {"flow_control", "credits"}});
        add("credits and a manager",
            {{"cc", "{name: ib-cc, params: {preset: dcms}}"},
             {"flow_control", "credits"},
             {"dcms.sweep", "10us"},
             {"dcms.t_c", "10"},
             {"dcms.t_w", "10"},
             {"dcms.t_d", "1000"},
             {"dcms.t_i", "2"}});
        add("selective recovery", {{"cc", "dctcp"}, {"host.recovery", "selective"}});
        add("a permutation", {{"cc", "hpcc"}, {"patterns", "permutation:100KB"}});
        add("a pattern in rounds", {{"cc", "dcqcn"}, {"patterns", "one-many:10KB,5"}});
        AddTestCase(new SameDependentFlows);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbIdentityTestSuite g_qbbIdentityTestSuite; //!< the suite

} // namespace
