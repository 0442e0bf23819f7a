/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_NET_DEVICE_H
#define QBB_NET_DEVICE_H

#include "qbb-channel.h"
#include "qbb-device-base.h"
#include "qbb-frame.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

class QbbNode;
class QbbSendQueue;

/**
 * \ingroup qbb
 * \brief A port of a host or of a switch.
 *
 * The device carries out what the machine behind the port (QbbHost, QbbSwitch) wants, and tells it
 * what happens. A host's port carries the packets of ns-3's protocol stacks beside RDMA, to other
 * hosts of its network, in Ethernet frames no longer than a full data packet; a switch's port
 * refuses them.
 */
class QbbNetDevice : public QbbDeviceBase
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \brief Makes the device a port of a machine.
     * \param machine the machine
     * \param port its number there, from 0
     * \param rate its rate
     * \param header bytes of header of a data packet: see QbbMakePacket
     */
    void SetMachine(Ptr<QbbNode> machine, uint32_t port, DataRate rate, uint32_t header);

    /**
     * \brief Makes the port of a host carry packets of ns-3's protocol stacks.
     * \param queue where they wait
     */
    void SetSendQueue(Ptr<QbbSendQueue> queue);

    /**
     * \return where packets of ns-3's protocol stacks wait, or nullptr for a switch
     */
    Ptr<QbbSendQueue> GetSendQueue() const;

    /**
     * \return the machine behind the port
     */
    Ptr<QbbNode> GetMachine() const;

    /**
     * \brief Ends the program if the port has been disposed of, alone or with its node.
     */
    void MustLive() const;

    /**
     * \return the number of the port at its machine, from 0
     */
    uint32_t GetPort() const;

    /**
     * \return the rate of the port
     */
    DataRate GetDataRate() const;

    /**
     * \param channel the link of the port
     */
    void SetChannel(Ptr<QbbChannel> channel);

    /**
     * \param lossy whether the scenario says that some of what arrives is lost
     */
    void SetLossy(bool lossy);

    /**
     * \brief The channel has gone down or come up.
     */
    void LinkChanged();

    /**
     * \brief Carries out a QBB_TRANSMIT.
     * \param action the machine's answer
     */
    void Transmit(const qbb_action& action);

    /**
     * \brief Carries out a QBB_KICK.
     */
    void Kick();

    /**
     * \brief Carries out a QBB_SET_WAKE.
     * \param at when to wake the machine; QBB_NEVER: never
     */
    void SetWake(int64_t at);

    /**
     * \brief A frame has reached the end of the link.
     * \param frame the frame
     * \param born when that was scheduled
     */
    void Receive(Ptr<QbbFrame> frame, int64_t born);

    /**
     * \brief Shows the trace sinks a packet that the machine has dropped.
     * \param packet the packet
     */
    void Dropped(const qbb_packet& packet);

    /**
     * \brief Shows the trace sinks a PFC frame that the machine has received.
     * \param classes the traffic classes that it names, one bit each
     * \param pause whether they pause; otherwise they resume
     */
    void PfcReceived(uint8_t classes, bool pause);

    // Inherited from NetDevice.
    Ptr<Channel> GetChannel() const override;
    bool IsLinkUp() const override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

    using QbbDeviceBase::PassUp;

    /**
     * TracedCallback signature of a frame, without an ns-3 packet being made.
     * \param packet the packet in the library's form
     */
    typedef void (*FrameCallback)(const qbb_packet& packet);

    /**
     * TracedCallback signature of a PFC frame.
     * \param port the port that has received it
     * \param classes the traffic classes that it names, one bit each
     * \param pause whether they pause; otherwise they resume
     */
    typedef void (*PfcCallback)(Ptr<const QbbNetDevice> port, uint8_t classes, bool pause);

  protected:
    void DoDispose() override;

  private:
    /**
     * \brief The transmission has ended.
     * \param born when it began
     */
    void TxDone(int64_t born);

    /**
     * \brief The time that the machine has asked for has come.
     * \param born when it asked
     */
    void Wake(int64_t born);

    /**
     * \param frame a frame that has arrived
     * \return whether it is lost on the link
     */
    bool IsLost(Ptr<const QbbFrame> frame) const;

    /**
     * \param packet the packet to put on the link
     * \return the frame that travels
     */
    Ptr<QbbFrame> MakeFrame(const qbb_packet& packet) const;

    /**
     * \brief Shows a frame that has been received to trace sinks and listeners.
     * \param frame the frame
     */
    void Show(Ptr<const QbbFrame> frame);

    /**
     * \brief Forgets a packet of ns-3's protocol stacks that will not arrive.
     * \param packet the packet
     */
    void Forget(const qbb_packet& packet);

    /**
     * \brief Shows a packet to the sinks that capture packets.
     * \param frame a frame that begins or has arrived
     */
    void Sniff(Ptr<const QbbFrame> frame);

    Ptr<QbbNode> m_machine;      //!< the machine behind the port
    Ptr<QbbChannel> m_channel;   //!< the link
    Ptr<ErrorModel> m_errors;    //!< of what arrives
    DataRate m_rate;             //!< rate of the port
    uint32_t m_port{0};          //!< number of the port at its machine
    uint32_t m_header{0};        //!< bytes of header of a data packet
    bool m_sending{false};       //!< a transmission is in progress ...
    bool m_wanted{false};        //!< ... and the machine wants a notice of its end
    bool m_lossy{false};         //!< the library loses some of what arrives
    EventId m_wake;              //!< the machine is woken
    Ptr<QbbSendQueue> m_queue;   //!< packets of ns-3's protocol stacks; nullptr: none are sent

    TracedCallback<const qbb_packet&> m_txFrame;               //!< sent
    TracedCallback<const qbb_packet&> m_rxFrame;               //!< received
    TracedCallback<Ptr<const Packet>> m_macTx;                 //!< sent
    TracedCallback<Ptr<const Packet>> m_macTxDrop;             //!< refused
    TracedCallback<Ptr<const Packet>> m_macRx;                 //!< received
    TracedCallback<Ptr<const Packet>> m_macPromiscRx;          //!< received
    TracedCallback<Ptr<const Packet>> m_macRxDrop;             //!< dropped by the machine
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;            //!< transmission begins
    TracedCallback<Ptr<const Packet>> m_phyTxEnd;              //!< transmission ends
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;              //!< has arrived
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;             //!< lost on the link
    TracedCallback<Ptr<const Packet>> m_sniffer;               //!< both directions
    TracedCallback<Ptr<const Packet>> m_promiscSniffer;        //!< both directions
    TracedCallback<Ptr<const QbbNetDevice>, uint8_t, bool> m_pfc; //!< PFC frame received
    Ptr<QbbFrame> m_onWire;                                       //!< kept for m_phyTxEnd
};

} // namespace ns3

#endif /* QBB_NET_DEVICE_H */
