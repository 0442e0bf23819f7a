/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_CONGESTION_CONTROL_H
#define QBB_CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <qbb.h>

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief The congestion control of one flow, for a device that has its own NIC.
 *
 * Start it with the flow, report ACKs, CNPs, losses and sent packets to it, and obey GetRate,
 * GetWindow and GetGap: after a packet of n wire bytes leaves at t, the next one leaves no earlier
 * than t + 8 n/rate + gap, and only while the bytes in flight are fewer than the window. Timers of
 * the scheme are ns-3 events or, where the scheme allows it, wait until the answer is asked for.
 * Changed reports every new answer.
 */
class QbbCongestionControl : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~QbbCongestionControl() override;

    /**
     * \brief Starts a flow now.
     * \param flow the flow; its field size is set here
     */
    void Start(qbb_flow flow);

    /**
     * \brief Reports anything that the scheme may hear; fields now and born are set here.
     * \param signal what has happened
     */
    void Step(qbb_signal signal);

    /**
     * \brief An acknowledgement has arrived.
     * \param acked next byte that the receiver expects
     * \param newly bytes newly acknowledged
     * \param next next byte to be sent
     * \param sent when the acknowledged packet was sent
     * \param ece whether that packet had been marked
     * \param hops its telemetry records, or nullptr
     * \param nHops their number
     */
    void Ack(int64_t acked,
             int64_t newly,
             int64_t next,
             Time sent,
             bool ece = false,
             const qbb_hop* hops = nullptr,
             uint32_t nHops = 0);

    /**
     * \brief A congestion notification packet has arrived.
     * \param field what it carries for the scheme, if anything
     */
    void Cnp(uint64_t field = 0);

    /**
     * \brief A data packet has left.
     * \param bytes on the wire
     */
    void Sent(int64_t bytes);

    /**
     * \brief A loss was detected, or a switch has trimmed a packet.
     * \param acked first unacknowledged byte
     * \param next next byte to be sent
     * \param timeout whether it was detected by the retransmission timer
     */
    void Loss(int64_t acked, int64_t next, bool timeout);

    /**
     * \return what the scheme hears and needs
     */
    const qbb_traits& GetTraits() const;

    /**
     * \return the rate, at most that of the line
     */
    DataRate GetRate();

    /**
     * \return the most bytes in flight; QBB_UNLIMITED: any
     */
    int64_t GetWindow();

    /**
     * \return the fixed delay after every packet
     */
    Time GetGap();

    /**
     * \return the whole answer; its orders are those of the last call, and its stamp is what a data
     * packet that is made now carries: the ACK's signal brings it back as aux; its timeout is the least
     * time without progress after which packets count as lost, 0 that of the caller
     */
    const qbb_control& GetControl();

    /**
     * TracedCallback signature of a new answer.
     * \param control the answer
     */
    typedef void (*ChangedCallback)(const qbb_control& control);

  protected:
    void DoDispose() override;

  private:
    /**
     * \brief Refuses an attribute that is set when Make has read it.
     * \param attribute its name
     */
    void BeforeMake(const std::string& attribute) const;

    /**
     * \param name of the scheme
     */
    void SetScheme(std::string name);

    /**
     * \return the name of the scheme
     */
    std::string GetScheme() const;

    /**
     * \param params of the scheme
     */
    void SetParameters(std::string params);

    /**
     * \return the parameters of the scheme
     */
    std::string GetParameters() const;

    /// Makes the scheme that the attributes name, once.
    void Make() const;

    /// The time has come that the scheme has asked for.
    void Timer();

    /// Schedules the next Timer, and reports a new answer.
    void Obey();

    std::string m_name;             //!< of the scheme
    std::string m_params;           //!< of the scheme
    mutable qbb_scheme m_scheme{0}; //!< the library's scheme
    mutable qbb_sender m_sender{0}; //!< the library's sender
    mutable qbb_traits m_traits{};  //!< of the scheme
    qbb_control m_control{};        //!< the answer
    EventId m_timer;                //!< next Timer

    TracedCallback<const qbb_control&> m_changed; //!< new answers
};

} // namespace ns3

#endif /* QBB_CONGESTION_CONTROL_H */
