/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Does what the main program of the HPCC simulator does, inside ns-3: runs a config.txt with the
// topology and flow files that it names, and writes the files that it names: fct.txt, pfc.txt,
// qlen.txt, mix.tr. A scenario of qbb in YAML will do too.
//
// usage: trace-driven [--fct=FILE] [--cc=SCHEME] [--SchedulerType=ns3::...] --config=config.txt

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"

#include <chrono>
#include <ctime>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/**
 * \param network a network
 * \return packets that have crossed a link, PFC frames apart
 */
int64_t
CountHops(Ptr<QbbNetwork> network)
{
    int64_t hops = 0;
    for (uint32_t id = 0; id < network->GetN(); id++)
    {
        auto node = network->GetNode(id);
        for (uint32_t port = 0; port < node->GetNPorts(); port++)
        {
            const qbb_counters c = node->GetCounters(port);
            hops += c.rx_packets - c.pauses_received - c.resumes_received;
        }
    }
    return hops;
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);

    std::string config;
    std::string fct;
    std::string cc;
    bool time = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("config", "config.txt or scenario", config);
    cmd.AddValue("fct", "file of completion times; default: as the configuration says", fct);
    cmd.AddValue("cc", "congestion control; default: as the configuration says", cc);
    cmd.AddValue("time", "print packet-hops and time", time);
    cmd.Parse(argc, argv);

    QbbHelper qbb(config);
    if (!cc.empty())
    {
        qbb.Set("cc", cc);
    }
    auto network = qbb.Install();
    if (fct.empty())
    {
        for (const auto file : {QBB_FCT_TXT, QBB_PFC_TXT, QBB_QLEN_TXT, QBB_MIX_TR})
        {
            network->Write(file);
        }
    }
    else
    {
        network->Write(QBB_FCT_TXT, fct);
    }
    qbb.Start(network);

    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const double cpu = double(std::clock() - busy) / CLOCKS_PER_SEC;

    network->Finish();
    const qbb_progress progress = network->GetProgress();
    std::cout << progress.ended << " of " << progress.flows << " flows ended by "
              << Simulator::Now().As(Time::MS) << "\n";
    if (time)
    {
        const int64_t hops = CountHops(network);
        std::cout << hops << " packet-hops in " << wall.count() << " s, " << cpu
                  << " s of the processor: " << 1e9 * cpu / double(hops) << " ns each\n";
    }
    Simulator::Destroy();
    return 0;
}
