/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A program that uses the module wrongly in the way that its argument names, and is to say so:
// aborts cannot be tested in a TestSuite.

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/qbb-module.h"

#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/**
 * \brief Makes a network with options.
 * \param helper makes it
 * \param attribute of QbbOptions
 * \param value its value
 */
void
Install(QbbHelper& helper, const std::string& attribute, const std::string& value)
{
    helper.Set("topology", "star:n=2");
    helper.SetAttribute(attribute, StringValue(value));
    helper.Install();
}

/**
 * \brief Makes a host in a network of two, whose nodes have other numbers in ns-3 than in the network.
 * \param helper makes the network
 * \return the first host
 */
Ptr<Node>
Host(QbbHelper& helper)
{
    CreateObject<Node>();
    helper.Set("topology", "star:n=2");
    helper.Set("workload", "none");
    helper.Install();
    return helper.GetNodes().Get(0);
}

/**
 * \brief Sends a message in a network of two, to the end.
 * \param helper makes the network
 * \param start when to start
 */
void
SendAt(QbbHelper& helper, Time start)
{
    RdmaClientHelper client(Host(helper), 1000);
    client.Install(helper.GetNodes().Get(1)).Start(start);
    Simulator::Run();
}

/// Sends from a host to one of another network.
void
SendAbroad()
{
    QbbHelper here;
    QbbHelper there;
    RdmaClientHelper client(Host(there), 1000);
    client.Install(Host(here));
    Simulator::Run();
}

/**
 * \brief Disposes of a node while messages are under way.
 * \param helper makes the network
 * \param which the number of the node
 */
void
DisposeOf(QbbHelper& helper, uint32_t which)
{
    Ptr<Node> first = Host(helper);
    RdmaClientHelper client(helper.GetNodes().Get(1), 1000000);
    client.Install(first);
    Simulator::Schedule(MicroSeconds(20), &Node::Dispose, helper.GetNodes().Get(which));
    Simulator::Run();
}

/// Sets an attribute of a scheme alone after it has started.
void
SetLate()
{
    auto cc = CreateObject<QbbCongestionControl>();
    cc->GetTraits();
    cc->SetAttribute("Scheme", StringValue("dcqcn"));
}

/**
 * \brief Sets an attribute of a client after it has started.
 * \param helper makes the network
 * \param attribute its name
 * \param value what it is set to
 */
void
SetWhileSending(QbbHelper& helper, const std::string& attribute, const AttributeValue& value)
{
    Ptr<Node> first = Host(helper);
    RdmaClientHelper client(helper.GetNodes().Get(1), 1000000);
    auto sender = client.Install(first).Get(0);
    Simulator::Schedule(MicroSeconds(20), [&] { sender->SetAttribute(attribute, value); });
    Simulator::Run();
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = argc > 1 ? argv[1] : "";
    Time::SetResolution(name == "coarse-clock" ? Time::NS
                        : name == "fine-clock" ? Time::FS
                                               : Time::PS);
    std::set_terminate([] { std::_Exit(EXIT_FAILURE); }); // a signal fails in ctest
    QbbHelper helper;
    const std::map<std::string, std::function<void()>> ways{
        {"ecn-min", [&] { Install(helper, "EcnMin", "5000"); }},
        {"ecn-probability", [&] { Install(helper, "EcnProbability", "0.5"); }},
        {"ecn-rate", [&] { Install(helper, "EcnRate", "40Gbps"); }},
        {"late-host",
         [&] {
             Host(helper);
             helper.AddHost(CreateObject<Node>());
         }},
        {"host-of-another",
         [&] {
             QbbHelper other;
             helper.AddHost(Host(other));
         }},
        {"remote-of-another", SendAbroad},
        {"late-start",
         [&] {
             helper.Set("topology", "star:n=2");
             helper.Set("incast", "1x1KB@20us");
             helper.Set("duration", "50us");
             auto network = helper.Install();
             Simulator::Schedule(MicroSeconds(40), &QbbHelper::Start, &helper, network);
             Simulator::Run();
         }},
        {"start-twice",
         [&] {
             helper.Set("topology", "star:n=2");
             auto network = helper.Install();
             helper.Start(network);
             helper.Start(network);
         }},
        {"cnp-before-start", [] { CreateObject<QbbCongestionControl>()->Cnp(); }},
        {"rate-before-start", [] { CreateObject<QbbCongestionControl>()->GetRate(); }},
        {"cc-late-attribute", SetLate},
        {"client-late-remote",
         [&] { SetWhileSending(helper, "Remote", PointerValue(CreateObject<Node>())); }},
        {"client-late-bytes", [&] { SetWhileSending(helper, "Bytes", IntegerValue(5)); }},
        {"client-late-priority", [&] { SetWhileSending(helper, "Priority", UintegerValue(4)); }},
        {"client-late-tag", [&] { SetWhileSending(helper, "Tag", StringValue("x")); }},
        {"client-late-source", [&] { SetWhileSending(helper, "SourcePort", UintegerValue(5)); }},
        {"client-late-destination",
         [&] { SetWhileSending(helper, "DestinationPort", UintegerValue(5)); }},
        {"sender-disposed", [&] { DisposeOf(helper, 0); }},
        {"receiver-disposed", [&] { DisposeOf(helper, 1); }},
        {"switch-disposed", [&] { DisposeOf(helper, 2); }},
        {"link-of-disposed",
         [&] {
             auto node = Host(helper);
             auto port = node->GetObject<QbbHost>()->GetPort(0);
             auto channel = DynamicCast<QbbChannel>(port->GetChannel());
             node->Dispose();
             channel->SetUp(false);
         }},
        {"port-disposed",
         [&] {
             auto port = Host(helper)->GetObject<QbbHost>()->GetPort(0);
             auto channel = DynamicCast<QbbChannel>(port->GetChannel());
             port->Dispose();
             channel->SetUp(false);
         }},
        {"no-such-port",
         [&] {
             auto host = Host(helper);
             Names::Add("first", host);
             host->GetObject<QbbHost>()->GetPort(7);
         }},
        {"no-such-node", [&] { Host(helper)->GetObject<QbbHost>()->GetNetwork()->GetNode(7); }},
        {"switch-as-host", [&] { Host(helper)->GetObject<QbbHost>()->GetNetwork()->GetHost(2); }},
        {"own-remote",
         [&] {
             auto host = Host(helper);
             RdmaClientHelper client(host, 1000);
             client.Install(host);
             Simulator::Run();
         }},
        {"link-to-itself",
         [&] {
             auto node = Host(helper);
             QbbHelper other;
             auto alone = CreateObject<Node>();
             other.AddHost(alone);
             other.Connect(alone, alone);
         }},
        {"unconnected",
         [&] {
             NodeContainer nodes;
             nodes.Create(5);
             helper.AddSwitch(nodes.Get(4));
             for (uint32_t i = 1; i < 4; i++)
             {
                 helper.AddHost(nodes.Get(i));
             }
             helper.Connect(nodes.Get(4), nodes.Get(1));
             helper.Connect(nodes.Get(4), nodes.Get(2));
             helper.Install();
         }},
        {"coarse-clock", [&] { SendAt(helper, NanoSeconds(1)); }},
        {"fine-clock", [&] { SendAt(helper, FemtoSeconds(1500)); }}, // which is none
        {"trailing-comma", [&] { Install(helper, "Parameters", "ai=10Mbps,"); }},
    };
    const auto way = ways.find(name);
    if (way == ways.end())
    {
        std::cerr << "usage: misuse WAY\n";
        return EXIT_FAILURE;
    }
    way->second();
    std::cerr << "not refused\n";
    return EXIT_SUCCESS;
}
