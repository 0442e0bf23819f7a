/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHORT_HEADER_H
#define SHORT_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief The HPCC simulator's header after UDP in a data packet: 6 bytes.
 */
class QbbSeqHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param sequence offset of the first byte of the payload
     */
    void SetSequence(uint32_t sequence);

    /**
     * \return offset of the first byte of the payload
     */
    uint32_t GetSequence() const;

    /**
     * \param priority traffic class
     */
    void SetPriority(uint16_t priority);

    /**
     * \return traffic class
     */
    uint16_t GetPriority() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint32_t m_sequence{}; //!< offset of the first byte of the payload
    uint16_t m_priority{}; //!< traffic class
};

/**
 * \ingroup qbb
 * \brief The HPCC simulator's header after IP in an acknowledgement: 12 bytes.
 */
class QbbAckHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param sourcePort port of the flow at the receiver
     */
    void SetSourcePort(uint16_t sourcePort);

    /**
     * \return port of the flow at the receiver
     */
    uint16_t GetSourcePort() const;

    /**
     * \param destinationPort port of the flow at the sender
     */
    void SetDestinationPort(uint16_t destinationPort);

    /**
     * \return port of the flow at the sender
     */
    uint16_t GetDestinationPort() const;

    /**
     * \param flags 1: echo of a congestion mark
     */
    void SetFlags(uint16_t flags);

    /**
     * \return 1: echo of a congestion mark
     */
    uint16_t GetFlags() const;

    /**
     * \param priority traffic class
     */
    void SetPriority(uint16_t priority);

    /**
     * \return traffic class
     */
    uint16_t GetPriority() const;

    /**
     * \param sequence next byte expected
     */
    void SetSequence(uint32_t sequence);

    /**
     * \return next byte expected
     */
    uint32_t GetSequence() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_sourcePort{}; //!< port of the flow at the receiver
    uint16_t m_destinationPort{}; //!< port of the flow at the sender
    uint16_t m_flags{}; //!< 1: echo of a congestion mark
    uint16_t m_priority{}; //!< traffic class
    uint32_t m_sequence{}; //!< next byte expected
};

} // namespace ns3

#endif /* SHORT_HEADER_H */
