/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_SEND_QUEUE_H
#define QBB_SEND_QUEUE_H

#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/queue.h"

#include <cstdint>
#include <deque>

namespace ns3
{

class QbbHost;

/**
 * \ingroup qbb
 * \brief Where the packets of ns-3's protocol stacks wait for a port of a host.
 *
 * The NIC takes one at a time, and sends it in turn with RDMA flows. A frame for a group of hosts
 * is sent to every other host of the network, one by one.
 */
class QbbSendQueue : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param host the machine
     * \param port the number of the port
     */
    void SetPort(Ptr<QbbHost> host, uint32_t port);

    /**
     * \brief Takes a frame.
     * \param frame from the Ethernet header to the check sequence
     * \return whether there is room for it
     */
    bool Enqueue(Ptr<Packet> frame);

    /// The NIC has sent or dropped what it had been given.
    void Done();

    /// The link has gone down: waiting frames will not be sent.
    void Flush();

    /**
     * \return the queue
     */
    Ptr<Queue<Packet>> GetQueue() const;

  protected:
    void DoDispose() override;

  private:
    /// Gives the NIC the next frame, if it has none.
    void Next();

    /// Takes the next frame from the queue and lists its destinations.
    void Address();

    Ptr<QbbHost> m_host;                //!< the machine
    uint32_t m_port{0};                 //!< number of the port
    uint8_t m_priority{0};              //!< traffic class
    Ptr<Queue<Packet>> m_queue;         //!< frames that wait
    Ptr<const Packet> m_frame;          //!< the frame that is being sent
    std::deque<uint32_t> m_to;          //!< hosts to which it has yet to be sent
    bool m_held{false};                 //!< the NIC has one
};

} // namespace ns3

#endif /* QBB_SEND_QUEUE_H */
