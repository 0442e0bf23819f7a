/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAR_H
#define STAR_H

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/qbb-module.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Shared by the tests.
namespace qbbtest
{

using namespace ns3;

/// Makes the clock count picoseconds, in a runner that does not.
inline void
UsePicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

/// A star of four hosts around a switch: 0, 1 and 2 send to 3.
class Star
{
  public:
    /// Makes the network.
    Star()
        : Star({}, BYTES)
    {
    }

    /**
     * \brief Makes a network.
     * \param options keys of the scenario and their values
     * \param bytes length of every message; 0: there are no messages
     */
    Star(const std::vector<std::pair<std::string, std::string>>& options, int64_t bytes)
    {
        for (const auto& [key, value] : options)
        {
            m_helper.Set(key, value);
        }
        m_hosts.Create(4);
        m_middle = CreateObject<Node>();
        m_helper.AddSwitch(m_middle);
        for (uint32_t i = 0; i < 4; i++)
        {
            m_helper.AddHost(m_hosts.Get(i));
            m_helper.Connect(m_middle, m_hosts.Get(i), DataRate("100Gbps"), MicroSeconds(1));
        }
        m_network = m_helper.Install();
        if (bytes == 0)
        {
            return;
        }
        RdmaClientHelper client(m_hosts.Get(3), bytes);
        for (uint32_t i = 0; i < 3; i++)
        {
            m_clients.Add(client.Install(m_hosts.Get(i)));
            m_clients.Get(i)->TraceConnectWithoutContext("Completed",
                                                         MakeCallback(&Star::Completed, this));
        }
    }

    /**
     * \brief Runs to the end, which it puts away.
     * \param stop when to stop
     */
    void Run(Time stop = Seconds(1))
    {
        Simulator::Stop(stop);
        Simulator::Run();
        for (uint32_t id = 0; id < m_network->GetN(); id++)
        {
            for (uint32_t port = 0; port < m_network->GetNode(id)->GetNPorts(); port++)
            {
                m_counters.push_back(m_network->GetNode(id)->GetCounters(port));
            }
        }
        Simulator::Destroy();
    }

    /**
     * \param client the application of a flow that has finished
     * \param time how long it took
     */
    void Completed(Ptr<const RdmaClient> client, Time time)
    {
        m_completed << client->GetNode()->GetId() << ":" << time.GetPicoSeconds() << " ";
        m_count++;
    }

    static constexpr int64_t BYTES = 200000; //!< of every message

    QbbHelper m_helper;                   //!< that has made the network
    NodeContainer m_hosts;                //!< 0 to 3
    Ptr<Node> m_middle;                   //!< the switch
    Ptr<QbbNetwork> m_network;            //!< the network
    ApplicationContainer m_clients;       //!< of hosts 0 to 2
    std::ostringstream m_completed;       //!< flows that have finished
    int m_count{0};                       //!< their number
    std::vector<qbb_counters> m_counters; //!< of all ports: 4 of the switch, then the hosts'
};

/// Counts packets and bytes of a trace source.
struct Counter
{
    /// \param packet a packet
    void Packet(Ptr<const ns3::Packet> packet)
    {
        packets++;
        bytes += packet->GetSize();
    }

    int64_t packets{0}; //!< seen
    int64_t bytes{0};   //!< seen
};

} // namespace qbbtest

#endif /* STAR_H */
