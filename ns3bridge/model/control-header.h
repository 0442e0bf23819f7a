/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTROL_HEADER_H
#define CONTROL_HEADER_H

#include "ns3/header.h"
#include "ns3/mac48-address.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Priority flow control frame behind its Ethernet header, 20 bytes (IEEE 802.3, annex 31D).
 */
class PfcHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param classes traffic classes that the frame names, one bit each
     */
    void SetClasses(uint8_t classes);

    /**
     * \return traffic classes that the frame names, one bit each
     */
    uint8_t GetClasses() const;

    /**
     * \param quanta time of the pause in units of 512 bit times; 0 resumes
     */
    void SetQuanta(uint16_t quanta);

    /**
     * \return time of the pause in units of 512 bit times; 0 resumes
     */
    uint16_t GetQuanta() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_classes{}; //!< traffic classes that the frame names, one bit each
    uint16_t m_quanta{}; //!< time of the pause in units of 512 bit times; 0 resumes
};

/**
 * \ingroup qbb
 * \brief Congestion notification message behind its Ethernet header, 24 bytes (IEEE 802.1Q, 33.4).
 */
class CnmHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param feedback quantised feedback, 6 bits
     */
    void SetFeedback(uint8_t feedback);

    /**
     * \return quantised feedback, 6 bits
     */
    uint8_t GetFeedback() const;

    /**
     * \param congestionPoint identifier of the congestion point
     */
    void SetCongestionPoint(uint64_t congestionPoint);

    /**
     * \return identifier of the congestion point
     */
    uint64_t GetCongestionPoint() const;

    /**
     * \param queueOffset offset of the queue from its set point
     */
    void SetQueueOffset(uint16_t queueOffset);

    /**
     * \return offset of the queue from its set point
     */
    uint16_t GetQueueOffset() const;

    /**
     * \param queueDelta change of the queue
     */
    void SetQueueDelta(uint16_t queueDelta);

    /**
     * \return change of the queue
     */
    uint16_t GetQueueDelta() const;

    /**
     * \param priority priority of the packet that was sampled
     */
    void SetPriority(uint16_t priority);

    /**
     * \return priority of the packet that was sampled
     */
    uint16_t GetPriority() const;

    /**
     * \param destination destination of the packet that was sampled
     */
    void SetDestination(Mac48Address destination);

    /**
     * \return destination of the packet that was sampled
     */
    Mac48Address GetDestination() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_feedback{}; //!< quantised feedback, 6 bits
    uint64_t m_congestionPoint{}; //!< identifier of the congestion point
    uint16_t m_queueOffset{}; //!< offset of the queue from its set point
    uint16_t m_queueDelta{}; //!< change of the queue
    uint16_t m_priority{}; //!< priority of the packet that was sampled
    Mac48Address m_destination{}; //!< destination of the packet that was sampled
};

/**
 * \ingroup qbb
 * \brief InfiniBand flow-control packet (IBTA volume 1, 7.9.4), 6 bytes.
 */
class CreditHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param lane virtual lane
     */
    void SetLane(uint8_t lane);

    /**
     * \return virtual lane
     */
    uint8_t GetLane() const;

    /**
     * \param sent FCTBS: blocks of 64 bytes sent, modulo 4096
     */
    void SetSent(uint16_t sent);

    /**
     * \return FCTBS: blocks of 64 bytes sent, modulo 4096
     */
    uint16_t GetSent() const;

    /**
     * \param limit FCCL: blocks that may be sent, modulo 4096
     */
    void SetLimit(uint16_t limit);

    /**
     * \return FCCL: blocks that may be sent, modulo 4096
     */
    uint16_t GetLimit() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_lane{}; //!< virtual lane
    uint16_t m_sent{}; //!< FCTBS: blocks of 64 bytes sent, modulo 4096
    uint16_t m_limit{}; //!< FCCL: blocks that may be sent, modulo 4096
};

} // namespace ns3

#endif /* CONTROL_HEADER_H */
