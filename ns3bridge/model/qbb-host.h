/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_HOST_H
#define QBB_HOST_H

#include "qbb-node.h"

namespace ns3
{

/**
 * \ingroup qbb
 * \brief The NIC of a host: queue pairs, pacing, transport, congestion control.
 */
class QbbHost : public QbbNode
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \brief Starts a flow: QbbNetwork::Open calls it.
     * \param flow its number in the run
     */
    void Open(uint32_t flow);

    /**
     * \brief Gives the NIC a packet of ns-3's protocol stacks: QbbSendQueue calls it.
     * \param port the number of the port
     * \param datagram the packet; its field size is set here
     */
    void SendDatagram(uint32_t port, qbb_datagram datagram);

    /**
     * \brief The routes have changed.
     */
    void Reroute();

    /**
     * \param qp the number of a flow in the order in which the NIC has opened them
     * \return its state so far
     */
    qbb_flow_state GetFlow(int32_t qp) const;

    /**
     * TracedCallback signature of the last byte of a flow.
     * \param qp the receiving queue pair
     */
    typedef void (*ReceivedCallback)(int32_t qp);

  protected:
    void CarryOutOther(const qbb_action& action) override;

  private:
    /**
     * \brief A packet of ns-3's protocol stacks has arrived.
     * \param port the number of the port
     * \param packet the packet
     */
    void Deliver(uint32_t port, const qbb_packet& packet);

    TracedCallback<int32_t> m_received; //!< flows received completely
};

} // namespace ns3

#endif /* QBB_HOST_H */
