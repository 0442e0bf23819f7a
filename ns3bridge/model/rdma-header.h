/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_HEADER_H
#define RDMA_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Operations in a BthHeader (IBTA volume 1, table 38; CNP: annex A17).
 */
enum RdmaOpcode : uint8_t
{
    RDMA_SEND_FIRST = 0x00,
    RDMA_SEND_MIDDLE = 0x01,
    RDMA_SEND_LAST = 0x02,
    RDMA_SEND_ONLY = 0x04,
    RDMA_ACKNOWLEDGE = 0x11,
    RDMA_CNP = 0x81,
    RDMA_GRANT = 0xc0 //!< of the range for manufacturers: a receiver's grant
};

/**
 * \ingroup qbb
 * \brief Base transport header (IBTA volume 1, 9.2), 12 bytes.
 */
class BthHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param opcode operation: see RdmaOpcode
     */
    void SetOpcode(uint8_t opcode);

    /**
     * \return operation: see RdmaOpcode
     */
    uint8_t GetOpcode() const;

    /**
     * \param fecn forward congestion notification
     */
    void SetFecn(bool fecn);

    /**
     * \return forward congestion notification
     */
    bool GetFecn() const;

    /**
     * \param becn backward congestion notification
     */
    void SetBecn(bool becn);

    /**
     * \return backward congestion notification
     */
    bool GetBecn() const;

    /**
     * \param queuePair destination queue pair, 24 bits
     */
    void SetQueuePair(uint32_t queuePair);

    /**
     * \return destination queue pair, 24 bits
     */
    uint32_t GetQueuePair() const;

    /**
     * \param ackRequest an acknowledgement is wanted
     */
    void SetAckRequest(bool ackRequest);

    /**
     * \return an acknowledgement is wanted
     */
    bool GetAckRequest() const;

    /**
     * \param sequence packet sequence number, 24 bits
     */
    void SetSequence(uint32_t sequence);

    /**
     * \return packet sequence number, 24 bits
     */
    uint32_t GetSequence() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_opcode{}; //!< operation: see RdmaOpcode
    bool m_fecn{}; //!< forward congestion notification
    bool m_becn{}; //!< backward congestion notification
    uint32_t m_queuePair{}; //!< destination queue pair, 24 bits
    bool m_ackRequest{}; //!< an acknowledgement is wanted
    uint32_t m_sequence{}; //!< packet sequence number, 24 bits
};

/**
 * \ingroup qbb
 * \brief Acknowledgement extended transport header (IBTA volume 1, 9.3.5), 4 bytes.
 */
class AethHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param nack negative: packets are missing
     */
    void SetNack(bool nack);

    /**
     * \return negative: packets are missing
     */
    bool GetNack() const;

    /**
     * \param messages message sequence number, 24 bits
     */
    void SetMessages(uint32_t messages);

    /**
     * \return message sequence number, 24 bits
     */
    uint32_t GetMessages() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    bool m_nack{}; //!< negative: packets are missing
    uint32_t m_messages{}; //!< message sequence number, 24 bits
};

} // namespace ns3

#endif /* RDMA_HEADER_H */
