/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_CHANNEL_H
#define QBB_CHANNEL_H

#include "qbb-frame.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/**
 * \ingroup qbb
 * \brief A full-duplex link between two ports.
 *
 * Frames arrive the propagation delay after their transmission has ended. What arrives while the
 * link is down is lost.
 */
class QbbChannel : public Channel
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \brief Joins two ports, once.
     * \param a one end
     * \param b the other end
     */
    void Attach(Ptr<QbbNetDevice> a, Ptr<QbbNetDevice> b);

    /**
     * \brief Puts a frame on the link.
     * \param frame the frame
     * \param from the port that sends it
     * \param end when its transmission ends
     */
    void Transmit(Ptr<QbbFrame> frame, Ptr<const QbbNetDevice> from, const Time& end);

    /**
     * \brief Takes the link down or up, and tells the ports at both ends.
     *
     * Hosts keep their routes until QbbNetwork::Reroute.
     *
     * \param up whether it works
     */
    void SetUp(bool up);

    /**
     * \return whether the link works
     */
    bool IsUp() const;

    /**
     * \return the propagation delay
     */
    Time GetDelay() const;

    /**
     * \param port one end
     * \return the other end
     */
    Ptr<QbbNetDevice> GetPeer(Ptr<const QbbNetDevice> port) const;

    // Inherited from Channel.
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * TracedCallback signature of the start of a transmission.
     * \param packet the packet
     * \param from the port that sends
     * \param to the port that will receive
     * \param end delay until the transmission has ended
     * \param arrival delay until the packet arrives
     */
    typedef void (*TxRxCallback)(Ptr<const Packet> packet,
                                 Ptr<NetDevice> from,
                                 Ptr<NetDevice> to,
                                 Time end,
                                 Time arrival);

  protected:
    void DoDispose() override;

  private:
    std::array<Ptr<QbbNetDevice>, 2> m_ends; //!< the ports
    Time m_delay;                            //!< propagation, one way
    bool m_up{true};                         //!< the link works

    /// The start of a transmission: what animators listen to.
    TracedCallback<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time> m_txRxTrace;
};

} // namespace ns3

#endif /* QBB_CHANNEL_H */
