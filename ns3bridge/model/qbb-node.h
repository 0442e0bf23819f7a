/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_NODE_H
#define QBB_NODE_H

#include "qbb-net-device.h"

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include <qbb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Node;
class QbbNetwork;

/**
 * \ingroup qbb
 * \brief The machine inside a node: a NIC or a switch of the library.
 *
 * It is aggregated to its ns-3 node. It passes on what happens at its ports, and has the ports
 * carry out the answers.
 */
class QbbNode : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    QbbNode();
    ~QbbNode() override;

    /**
     * \brief Takes a device of the library and makes its ports.
     * \param network the network that it is part of
     * \param id its number there, from 0
     * \param handle the device
     * \param rates the rate of every port, in bit/s
     * \param node the ns-3 node, whose devices the ports become
     * \param factory what makes the ports
     */
    void Install(Ptr<QbbNetwork> network,
                 uint32_t id,
                 qbb_node handle,
                 const std::vector<int64_t>& rates,
                 Ptr<Node> node,
                 const ObjectFactory& factory);

    /**
     * \return the number of the node in its network
     */
    uint32_t GetId() const;

    /**
     * \return what messages call the node: by its number and name in ns-3, and its number in the network
     */
    std::string Describe() const;

    /**
     * \return the library's handle
     */
    qbb_node GetHandle() const;

    /**
     * \return the network that the machine is part of
     *
     * Ends the program if the node has been disposed of: the network needs it until the end of the run.
     */
    Ptr<QbbNetwork> GetNetwork() const;

    /**
     * \return the number of ports
     */
    uint32_t GetNPorts() const;

    /**
     * \param port the number of a port
     * \return the port
     */
    Ptr<QbbNetDevice> GetPort(uint32_t port) const;

    /**
     * \param port the number of a port
     * \return the counters of the port so far
     */
    qbb_counters GetCounters(uint32_t port) const;

    /**
     * \brief An event begins that concerns this node.
     * \param born when it was scheduled, in picoseconds
     */
    void Begin(int64_t born);

    /**
     * \brief A packet has arrived.
     * \param port the port
     * \param packet the packet
     */
    void Receive(uint32_t port, const qbb_packet& packet);

    /**
     * \brief A port is free again.
     * \param port the port
     */
    void TxDone(uint32_t port);

    /**
     * \brief The requested time has come.
     * \param port the port
     */
    void Wake(uint32_t port);

    /**
     * \brief A port's link has gone down or come up.
     * \param port the port
     * \param up whether it works
     */
    void SetLink(uint32_t port, bool up);

    /**
     * TracedCallback signature of a packet that is dropped.
     * \param packet the packet
     * \param port the port by which it arrived
     */
    typedef void (*DropCallback)(const qbb_packet& packet, uint32_t port);

  protected:
    /// The most actions that an answer holds; the rest has to be fetched.
    static constexpr uint32_t ROOM = 4;

    /**
     * \brief Calls the library and carries out what it answers.
     * \param call gets the time at which the present event was scheduled, and ROOM actions to be
     * filled, and returns the library's answer
     */
    template <typename Call>
    void Tell(Call call);

    /**
     * \brief Carries out actions in order.
     * \param actions the actions
     * \param n their number
     */
    void CarryOut(const qbb_action* actions, uint32_t n);

    /**
     * \brief Carries out an action that does not concern a port.
     * \param action the action
     */
    virtual void CarryOutOther(const qbb_action& action);

    /// An event at a port has been handled.
    virtual void Changed();

    void DoDispose() override;

  private:
    /**
     * \brief Carries out an answer; one that comes while another is carried out, because somebody
     * who hears of that has the node do something, is carried out after it.
     * \param n the number of actions, or an error
     * \param actions the first ROOM of them
     */
    void Obey(int n, const qbb_action* actions);

    /**
     * \return when the present event was scheduled
     */
    int64_t GetBorn() const;

    Ptr<QbbNetwork> m_network;              //!< the network
    uint32_t m_id{0};                       //!< number in the network
    qbb_node m_handle{0};                   //!< the library's handle
    std::vector<Ptr<QbbNetDevice>> m_ports; //!< the ports
    int m_depth{0};                         //!< answers that are being carried out
    bool m_kicked{false};                   //!< the next answer is that to a QBB_KICK
    std::vector<qbb_action> m_later;        //!< answers that have come meanwhile

    TracedCallback<const qbb_packet&, uint32_t> m_drop; //!< dropped
};

template <typename Call>
void
QbbNode::Tell(Call call)
{
    qbb_action actions[ROOM];
    Obey(call(GetBorn(), actions), actions);
    Changed();
}

} // namespace ns3

#endif /* QBB_NODE_H */
