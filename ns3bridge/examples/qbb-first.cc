/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A first simulation: three hosts send to a fourth across one switch.
//
//	0 --+
//	1 --+-- switch -- 3
//	2 --+
//
// Every link has 100 Gb/s and 1 us. All flows start at 10 us.
// usage: qbb-first [--cc=dcqcn] [--bytes=1000000] [--pcap] [--flowmon=FILE]

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/qbb-module.h"

#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/**
 * \brief Prints when a flow has finished.
 * \param client its application
 * \param time how long it took
 */
void
Completed(Ptr<const RdmaClient> client, Time time)
{
    std::cout << "host " << client->GetNode()->GetId() << ": " << client->GetBytes()
              << " bytes in " << time.As(Time::US) << "\n";
}

/**
 * \brief Prints PFC frames.
 * \param port the port that has received one
 * \param classes of traffic
 * \param pause whether they are paused
 */
void
Pfc(Ptr<const QbbNetDevice> port, uint8_t classes, bool pause)
{
    std::cout << Simulator::Now().As(Time::US) << ": host " << port->GetNode()->GetId()
              << (pause ? " pauses" : " resumes") << " classes " << +classes << "\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);

    std::string cc = "hpcc";
    int64_t bytes = 1000000;
    bool pcap = false;
    std::string flowmon;
    CommandLine cmd(__FILE__);
    cmd.AddValue("cc", "congestion control", cc);
    cmd.AddValue("bytes", "length of each message", bytes);
    cmd.AddValue("pcap", "capture the packets of all ports", pcap);
    cmd.AddValue("flowmon", "write what FlowMonitor has seen", flowmon);
    cmd.Parse(argc, argv);

    NodeContainer hosts;
    hosts.Create(4);
    auto middle = CreateObject<Node>();

    QbbHelper qbb;
    qbb.Set("cc", cc);
    qbb.AddSwitch(middle);
    for (uint32_t i = 0; i < hosts.GetN(); i++)
    {
        qbb.AddHost(hosts.Get(i));
        qbb.Connect(hosts.Get(i), middle, DataRate("100Gbps"), MicroSeconds(1));
    }
    qbb.Install();

    RdmaClientHelper client(hosts.Get(3), bytes);
    for (uint32_t i = 0; i < 3; i++)
    {
        auto installed = client.Install(hosts.Get(i));
        installed.Start(MicroSeconds(10));
        installed.Get(0)->TraceConnectWithoutContext("Completed", MakeCallback(&Completed));
    }
    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/Pfc",
                                  MakeCallback(&Pfc));
    if (pcap)
    {
        qbb.EnablePcapAll("qbb-first");
    }
    QbbFlowMonitorHelper monitor;
    if (!flowmon.empty())
    {
        monitor.Install(qbb.GetNodes());
    }

    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    if (!flowmon.empty())
    {
        monitor.GetMonitor()->SerializeToXmlFile(flowmon, false, true);
    }
    Simulator::Destroy();
    return 0;
}
