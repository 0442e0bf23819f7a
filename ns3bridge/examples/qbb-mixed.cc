/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// RDMA and IP in one network: hosts 0 and 1 send to 2 with one scheme, 3 with another, while an
// ordinary UDP application sends from 0 to 2. Switches have little memory, so that PFC pauses.
//
//	0 --+                     +-- 2
//	    +-- switch - switch --+
//	1 --+                     +-- 3
//
// Every link has 100 Gb/s and 1 us.
// usage: qbb-mixed [--cc=dcqcn] [--other=hpcc] [--queues=FILE]

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/qbb-module.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/// What the trace sources report.
struct Record
{
    /**
     * \param client the application of a flow that has finished
     * \param time how long it took
     */
    void Completed(Ptr<const RdmaClient> client, Time time)
    {
        std::cout << "host " << client->GetNode()->GetId() << ": " << client->GetBytes()
                  << " bytes in " << time.As(Time::US) << "\n";
    }

    /**
     * \brief A port has received a PFC frame.
     * \param pause whether it pauses classes of traffic
     */
    void Pfc(Ptr<const QbbNetDevice> /* port */, uint8_t /* classes */, bool pause)
    {
        pauses += pause;
    }

    /**
     * \brief A queue has become longer or shorter.
     * \param port of a switch
     * \param now the bytes that are queued there
     */
    void Queue(Ptr<const QbbNetDevice> port, int64_t /* before */, int64_t now)
    {
        deepest = std::max(deepest, now);
        if (queues.is_open())
        {
            queues << Simulator::Now().GetNanoSeconds() << " " << port->GetNode()->GetId() << " "
                   << port->GetPort() << " " << now << "\n";
        }
    }

    int64_t pauses{0};    //!< received
    int64_t deepest{0};   //!< queue, in bytes
    std::ofstream queues; //!< time (ns), node, port and bytes of every change of a queue
};

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // ARP waits for up to 10 ms before it asks, and keeps 3 packets until the answer: a long time for RDMA.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));

    std::string cc = "dcqcn";
    std::string other = "hpcc";
    std::string queues;
    CommandLine cmd(__FILE__);
    cmd.AddValue("cc", "congestion control of hosts 0 and 1", cc);
    cmd.AddValue("other", "congestion control of host 3", other);
    cmd.AddValue("queues", "write time (ns), node, port and bytes of every change of a queue", queues);
    cmd.Parse(argc, argv);

    NodeContainer hosts;
    hosts.Create(4);
    NodeContainer switches;
    switches.Create(2);

    QbbHelper qbb;
    qbb.Set("cc", cc);
    qbb.Set("cc_by_tag.other", other);
    qbb.Set("buffer", "400KB");
    for (uint32_t i = 0; i < hosts.GetN(); i++)
    {
        qbb.AddHost(hosts.Get(i));
    }
    for (uint32_t i = 0; i < switches.GetN(); i++)
    {
        qbb.AddSwitch(switches.Get(i));
    }
    qbb.Connect(switches.Get(0), switches.Get(1), DataRate("100Gbps"), MicroSeconds(1));
    for (uint32_t i = 0; i < hosts.GetN(); i++)
    {
        qbb.Connect(hosts.Get(i), switches.Get(i / 2), DataRate("100Gbps"), MicroSeconds(1));
    }
    qbb.Install();

    InternetStackHelper().Install(hosts);
    auto addresses =
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(qbb.GetHostDevices());

    Record record;
    RdmaClientHelper rdma(hosts.Get(2), 2000000);
    auto clients = rdma.Install(NodeContainer(hosts.Get(0), hosts.Get(1)));
    rdma.SetAttribute("Tag", StringValue("other"));
    clients.Add(rdma.Install(hosts.Get(3)));
    clients.Start(MicroSeconds(10));
    for (uint32_t i = 0; i < clients.GetN(); i++)
    {
        clients.Get(i)->TraceConnectWithoutContext("Completed",
                                                   MakeCallback(&Record::Completed, &record));
    }

    auto server = UdpServerHelper(9).Install(hosts.Get(2));
    UdpClientHelper udp(addresses.GetAddress(2), 9);
    udp.SetAttribute("MaxPackets", UintegerValue(100));
    udp.SetAttribute("Interval", TimeValue(MicroSeconds(5)));
    udp.SetAttribute("PacketSize", UintegerValue(900));
    udp.Install(hosts.Get(0)).Start(MicroSeconds(5));

    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/Pfc",
                                  MakeCallback(&Record::Pfc, &record));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::QbbSwitch/QueueDepth",
                                  MakeCallback(&Record::Queue, &record));
    if (!queues.empty())
    {
        record.queues.open(queues);
    }

    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    std::cout << server.Get(0)->GetObject<UdpServer>()->GetReceived()
              << " UDP packets received; PFC has paused " << record.pauses
              << " times; the deepest queue held " << record.deepest << " bytes\n";
    Simulator::Destroy();
    return 0;
}
