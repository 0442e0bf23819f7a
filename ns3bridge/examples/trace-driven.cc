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
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// A packet-hop is a packet other than a PFC frame that has crossed a link.
uint64_t g_hops = 0;

/**
 * \brief Counts packet-hops.
 * \param packet a packet that has been received
 */
void
Count(const qbb_packet& packet)
{
    g_hops += packet.kind != QBB_PKT_PAUSE;
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
    cmd.AddValue("time", "print packet-hops and wall time", time);
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
    if (time)
    {
        for (uint32_t id = 0; id < network->GetN(); id++)
        {
            auto node = network->GetNode(id);
            for (uint32_t i = 0; i < node->GetNPorts(); i++)
            {
                node->GetPort(i)->TraceConnectWithoutContext("RxFrame", MakeCallback(&Count));
            }
        }
    }
    qbb.Start(network);

    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;

    network->Finish();
    const qbb_progress progress = network->GetProgress();
    std::cout << progress.ended << " of " << progress.flows << " flows ended by "
              << Simulator::Now().As(Time::MS) << "\n";
    if (time)
    {
        std::cout << g_hops << " packet-hops in " << wall.count() << " s: "
                  << 1e9 * wall.count() / double(g_hops) << " ns each\n";
    }
    Simulator::Destroy();
    return 0;
}
