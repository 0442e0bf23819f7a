/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_HELPER_H
#define QBB_HELPER_H

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/qbb-host.h"
#include "ns3/qbb-network.h"
#include "ns3/trace-helper.h"

#include <qbb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Makes networks of RDMA machines.
 *
 * The options are those of the standalone simulator ("qbb help scenario" lists them): from a file,
 * which may be the config.txt of the HPCC simulator with the topology and flow files that it
 * names, or set one by one. The topology is the scenario's, or what AddHost, AddSwitch and Connect
 * have made.
 */
class QbbHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    /**
     * \brief Starts from the default options, without flows.
     */
    QbbHelper();

    /**
     * \brief Starts from a file.
     * \param scenario a scenario in YAML or a config.txt
     */
    explicit QbbHelper(const std::string& scenario);

    ~QbbHelper() override;

    QbbHelper(const QbbHelper&) = delete;
    QbbHelper& operator=(const QbbHelper&) = delete;

    /**
     * \brief Sets an option.
     * \param key its name, such as "cc", "cc.params.target", "topology", "buffer"
     * \param value its value, such as "dcqcn", "0.9", "fat-tree:k=8", "16MB"
     */
    void Set(const std::string& key, const std::string& value);

    /**
     * \brief Sets an option that is an attribute of QbbOptions.
     * \param name of the attribute
     * \param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \brief Sets an attribute of all ports.
     * \param name of an attribute of QbbNetDevice
     * \param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \brief Sets an attribute of all channels. Their delay is that of the topology.
     * \param name of an attribute of QbbChannel
     * \param value its value
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \brief Makes a node a host of the topology.
     * \param node the node
     * \return its number
     */
    uint32_t AddHost(Ptr<Node> node);

    /**
     * \brief Makes a node a switch of the topology.
     * \param node the node
     * \return its number
     */
    uint32_t AddSwitch(Ptr<Node> node);

    /**
     * \brief Joins two nodes of the topology by a link.
     * \param a one node
     * \param b the other node
     * \param rate of the link
     * \param delay propagation, one way
     */
    void Connect(Ptr<Node> a, Ptr<Node> b, DataRate rate, Time delay);

    /**
     * \brief Joins two nodes by a link with the attributes DataRate of QbbNetDevice and Delay of
     * QbbChannel.
     * \param a one node
     * \param b the other node
     */
    void Connect(Ptr<Node> a, Ptr<Node> b);

    /**
     * \brief Makes machines, ports and channels. Options that are set later have no effect.
     *
     * Without AddHost and AddSwitch it makes the nodes too.
     *
     * \return the network
     */
    Ptr<QbbNetwork> Install();

    /**
     * \brief Schedules the scenario: flows, failures of links, samples, the end. Call it at time 0.
     *
     * The helper need not outlive this call. A scenario that has flows and does not say when to stop
     * (key stop) ends the simulation with the last flow that is known: one of an application is not
     * known before it starts. Of several scenarios, the last flow of all counts, and none where one has a
     * time to stop. A scenario without flows leaves the end to the program.
     *
     * \param network the result of Install
     */
    void Start(Ptr<QbbNetwork> network);

    /**
     * \return the scenario with nothing left blank, as a file of qbb's standalone simulator, but
     * without a topology of AddHost, AddSwitch and Connect
     */
    std::string Print() const;

    /**
     * \return the nodes, by number
     */
    NodeContainer GetNodes() const;

    /**
     * \brief Lists the ports of hosts, which carry IP: for Ipv4AddressHelper.
     * \return those of all hosts, in the order of nodes; after Install
     */
    NetDeviceContainer GetHostDevices() const;

  private:
    /**
     * \brief Returns the number of a node.
     * \param node a node of the topology
     * \return its number
     */
    int32_t NumberOf(Ptr<Node> node) const;

    /**
     * \return which node of ns-3 the library calls by which number, to end its messages about them; empty
     * if each has the same number in both
     */
    std::string Numbers() const;

    /**
     * \brief Adds a node to the topology.
     * \param node the node
     * \param kind 0 host, 1 switch
     * \return its number
     */
    uint32_t AddNode(Ptr<Node> node, uint8_t kind);

    /**
     * \brief Makes the machines of all nodes.
     * \param network the network
     * \param links its links
     */
    void InstallMachines(Ptr<QbbNetwork> network, const std::vector<qbb_run_link>& links);

    /**
     * \brief Makes a host's ports carry packets of ns-3's protocol stacks.
     * \param host the machine
     */
    static void InstallQueues(Ptr<QbbHost> host);

    /**
     * \brief Makes the channels.
     * \param network the network
     * \param links its links
     */
    void InstallChannels(Ptr<QbbNetwork> network, const std::vector<qbb_run_link>& links);

    // Inherited from PcapHelperForDevice.
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;

    // Inherited from AsciiTraceHelperForDevice.
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    qbb_scenario m_scenario{0};             //!< the options
    NodeContainer m_nodes;                  //!< by number
    ObjectFactory m_options;                //!< options that are attributes
    ObjectFactory m_device;                 //!< makes ports
    ObjectFactory m_channel;                //!< makes channels
    std::map<Ptr<Node>, int32_t> m_numbers; //!< of the nodes
    std::vector<uint8_t> m_kinds;           //!< by number
    std::vector<qbb_link> m_links;          //!< that Connect has made
};

} // namespace ns3

#endif /* QBB_HELPER_H */
