/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/config-store-module.h"
#include "ns3/test.h"

#include <fstream>
#include <string>

using namespace ns3;
using qbbtest::Star;

namespace
{

/// The effect of a network's options.
class Options : public TestCase
{
  public:
    Options()
        : TestCase("options as attributes")
    {
    }

  private:
    /**
     * \brief Demands that the scenario of a network holds some lines.
     * \param star the network
     * \param lines the lines
     */
    void Expect(Star& star, const std::vector<std::string>& lines)
    {
        const std::string text = star.m_helper.Print();
        for (const auto& line : lines)
        {
            NS_TEST_EXPECT_MSG_NE(text.find(line + "\n"), std::string::npos, line << " in " << text);
        }
        star.Run(MicroSeconds(1));
    }

    void DoRun() override
    {
        Star plain;
        Expect(plain, {"  name: hpcc", "mtu: 1KB", "flow_control: pfc", "  mark: dequeue"});

        Config::SetDefault("ns3::QbbOptions::CongestionControl", StringValue("dcqcn"));
        Config::SetDefault("ns3::QbbOptions::Parameters", StringValue("ai=10Mbps"));
        Config::SetDefault("ns3::QbbOptions::Mtu", UintegerValue(4096));
        Config::SetDefault("ns3::QbbOptions::Buffer", UintegerValue(9000000));
        Config::SetDefault("ns3::QbbOptions::FlowControl", StringValue("none"));
        Config::SetDefault("ns3::QbbOptions::Seed", UintegerValue(77));
        Config::SetDefault("ns3::QbbOptions::EcnMin", UintegerValue(5000));
        Config::SetDefault("ns3::QbbOptions::EcnMax", UintegerValue(50000));
        Config::SetDefault("ns3::QbbOptions::EcnProbability", DoubleValue(0.25));
        Config::SetDefault("ns3::QbbOptions::EcnRate", DataRateValue(DataRate("40Gbps")));
        Config::SetDefault("ns3::QbbOptions::HostDelay", TimeValue(NanoSeconds(700)));
        Config::SetDefault("ns3::QbbOptions::RetransmissionTimeout", TimeValue(MicroSeconds(150)));
        Config::SetDefault("ns3::QbbOptions::Recovery", StringValue("selective"));
        Star set;
        NS_TEST_EXPECT_MSG_EQ(set.m_network->GetInfo().mtu, 4096, "the run's payload");
        Expect(set,
               {"  name: dcqcn",
                "    ai: 10Mbps",
                "mtu: 4096B",
                "buffer: 9MB",
                "flow_control: none",
                "seed: 77",
                "    - rate: 40Gbps",
                "      kmin: 5KB",
                "      kmax: 50KB",
                "      pmax: 0.25",
                "  delay: 700ns",
                "  rto: 150us",
                "  recovery: selective"});
        Config::Reset();
    }
};

/// ns-3's ways to set defaults: a helper's attributes, the command line, a file of ConfigStore.
class Ways : public TestCase
{
  public:
    Ways()
        : TestCase("ways to set the options")
    {
    }

  private:
    /// \return the name of the congestion control of a new network
    std::string Scheme()
    {
        Star star;
        char name[32];
        QbbCheck(qbb_run_scheme(star.m_network->GetRun(), 0, name, sizeof name));
        star.Run(MicroSeconds(1));
        return name;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Scheme(), "hpcc", "by default");

        CommandLine line;
        line.Parse(std::vector<std::string>{"test", "--ns3::QbbOptions::CongestionControl=swift"});
        NS_TEST_EXPECT_MSG_EQ(Scheme(), "swift", "by the command line");
        Config::Reset();

        const std::string file = CreateTempDirFilename("store.txt");
        Config::SetDefault("ns3::QbbOptions::CongestionControl", StringValue("timely"));
        Config::SetDefault("ns3::ConfigStore::Filename", StringValue(file));
        Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue("RawText"));
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue("Save"));
        ConfigStore().ConfigureDefaults();
        Config::SetDefault("ns3::QbbOptions::CongestionControl", StringValue(""));
        NS_TEST_EXPECT_MSG_EQ(Scheme(), "hpcc", "as the scenario says");
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue("Load"));
        ConfigStore().ConfigureDefaults();
        NS_TEST_EXPECT_MSG_EQ(Scheme(), "timely", "by a file");
        Config::Reset();

        QbbHelper helper;
        helper.SetAttribute("CongestionControl", StringValue("dctcp"));
        helper.Set("cc", "hpcc");
        helper.Set("topology", "star:n=2");
        auto network = helper.Install();
        NS_TEST_EXPECT_MSG_NE(helper.Print().find("name: dctcp"), std::string::npos, "by the helper");
        network->Dispose();
        Simulator::Destroy();
    }
};

/// Options that a helper sets one by one, which ns-3 keeps in a list of values.
class OneByOne : public TestCase
{
  public:
    OneByOne()
        : TestCase("a helper's numbers, each for itself")
    {
    }

  private:
    /**
     * \brief Sets options of a helper.
     * \param options their names and values
     * \param keys of the scenario and their values
     * \return the scenario that results
     */
    static std::string Print(const std::vector<std::pair<std::string, uint64_t>>& options,
                             const std::vector<std::pair<std::string, std::string>>& keys = {})
    {
        QbbHelper helper;
        helper.Set("topology", "star:n=2");
        for (const auto& [key, value] : keys)
        {
            helper.Set(key, value);
        }
        for (const auto& [name, value] : options)
        {
            helper.SetAttribute(name, UintegerValue(value));
        }
        helper.Install()->Dispose();
        Simulator::Destroy();
        return helper.Print();
    }

    /**
     * \param text a scenario
     * \param part of a line's beginning
     * \return how many lines have it
     */
    static int Count(const std::string& text, const std::string& part)
    {
        int count = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        {
            count++;
        }
        return count;
    }

    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> options{{"Seed", "seed: 5000000"},
                                                                       {"Buffer", "buffer: 5MB"},
                                                                       {"EcnMax", "kmax: 5MB"}};
        for (const auto& [name, line] : options)
        {
            const std::string text = Print({{name, 5000000}});
            for (const auto& [other, others] : options)
            {
                NS_TEST_EXPECT_MSG_EQ(Count(text, others + "\n"),
                                      (other == name ? 1 : 0),
                                      name << " alone, " << others << " in " << text);
            }
        }
        const std::string all =
            Print({{"Seed", 7}, {"Buffer", 9000000}, {"EcnMin", 3000}, {"EcnMax", 6000}});
        const std::string text = Print({{"EcnMin", 3000}, {"EcnMax", 6000}},
                                       {{"ecn.scale", "false"},
                                        {"ecn.thresholds",
                                         "[{rate: 100Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}, "
                                         "{rate: 40Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}]"},
                                        {"topology", "star:n=2,rate=40Gbps"}});
        NS_TEST_EXPECT_MSG_EQ(Count(text, "- rate: "), 1, "thresholds in " << text);
        NS_TEST_EXPECT_MSG_EQ(Count(text, "kmax: 6KB\n"), 1, "instead of the scenario's: " << text);
        for (const std::string line : {"seed: 7\n", "buffer: 9MB\n", "kmin: 3KB\n", "kmax: 6KB\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Count(all, line), 1, line << " in " << all);
        }
    }
};

/// Rates and delays of links are attributes of ports and channels.
class Links : public TestCase
{
  public:
    Links()
        : TestCase("links have the attributes of ports and channels")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::QbbChannel::Delay", TimeValue(NanoSeconds(600)));
        NodeContainer nodes(3);
        QbbHelper helper;
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate("40Gbps")));
        helper.AddSwitch(nodes.Get(2));
        for (uint32_t i = 0; i < 2; i++)
        {
            helper.AddHost(nodes.Get(i));
            helper.Connect(nodes.Get(i), nodes.Get(2));
        }
        auto network = helper.Install();
        NS_TEST_EXPECT_MSG_EQ(network->GetNode(1)->GetPort(0)->GetDataRate(),
                              DataRate("40Gbps"),
                              "rate of a port");
        NS_TEST_EXPECT_MSG_EQ(network->GetChannel(1)->GetDelay(), NanoSeconds(600), "delay");
        // There and back: 4 times the delay, twice a data packet, twice its ACK.
        constexpr int64_t BIT = 25; // ps
        NS_TEST_EXPECT_MSG_EQ(network->GetInfo().max_rtt,
                              4 * 600000 + 2 * (1062 + 66) * 8 * BIT,
                              "round trip");
        Simulator::Destroy();
        Config::Reset();
    }
};

/// The tests of options.
class QbbOptionsTestSuite : public TestSuite
{
  public:
    QbbOptionsTestSuite()
        : TestSuite("qbb-options", Type::SYSTEM)
    {
        AddTestCase(new Options);
        AddTestCase(new Ways);
        AddTestCase(new OneByOne);
        AddTestCase(new Links);
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbOptionsTestSuite g_qbbOptionsTestSuite; //!< the suite

} // namespace
