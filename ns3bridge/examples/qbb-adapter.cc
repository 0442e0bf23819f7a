/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One scheme without its NIC, for those who have a NIC of their own: DCQCN at 100 Gb/s hears of a
// CNP every 50 us for 500 us, then of none. The rate is printed every 50 us.
// usage: qbb-adapter [--scheme=dcqcn] [--parameters=name=value,...]

#include "ns3/core-module.h"
#include "ns3/qbb-module.h"

#include <iostream>
#include <string>

using namespace ns3;

namespace
{

/**
 * \brief Sends what a NIC sends in 50 us, and perhaps hears of a CNP.
 * \param cc the congestion control
 */
void
Tick(Ptr<QbbCongestionControl> cc)
{
    std::cout << Simulator::Now().As(Time::US) << " " << cc->GetRate() << "\n";
    if (Simulator::Now() <= MicroSeconds(500))
    {
        cc->Cnp();
    }
    cc->Sent(1048);
    Simulator::Schedule(MicroSeconds(50), &Tick, cc);
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string scheme = "dcqcn";
    std::string parameters;
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheme", "congestion control", scheme);
    cmd.AddValue("parameters", "its parameters", parameters);
    cmd.Parse(argc, argv);

    auto cc = CreateObjectWithAttributes<QbbCongestionControl>("Scheme",
                                                               StringValue(scheme),
                                                               "Parameters",
                                                               StringValue(parameters));
    qbb_flow flow{};
    flow.line = DataRate("100Gbps").GetBitRate();
    flow.base_rtt = MicroSeconds(8).GetPicoSeconds();
    flow.mtu = 1000;
    flow.bytes = 1 << 30;
    flow.hops = 4;
    cc->Start(flow);
    Simulator::Schedule(MicroSeconds(50), &Tick, cc);
    Simulator::Stop(MicroSeconds(1500));
    Simulator::Run();
    cc->Dispose();
    Simulator::Destroy();
    return 0;
}
