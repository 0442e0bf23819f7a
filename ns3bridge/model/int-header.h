/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INT_HEADER_H
#define INT_HEADER_H

#include "ns3/header.h"
#include <qbb.h>

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief In-band telemetry: 2 bytes, and 8 for every hop that there is room for.
 *
 * A record is HPCC's 64 bits (Li et al., SIGCOMM 2019, section 4): 24 bits of time, 20 of bytes
 * sent, 17 of bytes queued, in the units of the network's format; the 3 bits for the rate are 0.
 * Records of full resolution show only their low bits: the values that devices compute with travel
 * beside the packet.
 */
class IntHeader : public Header
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    IntHeader() = default;

    /**
     * \param room records that there is room for
     */
    explicit IntHeader(uint32_t room);

    /**
     * \brief Appends a record; without room it is not kept.
     * \param hop the record
     */
    void Add(const qbb_hop& hop);

    /**
     * \param hops hops passed, as the packet counts them
     */
    void SetHops(uint8_t hops);

    /**
     * \return hops passed, as the packet counts them
     */
    uint8_t GetHops() const;

    /**
     * \return the records, of 64 bits each
     */
    const std::vector<uint64_t>& GetRecords() const;

    // Inherited from Header.
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint8_t m_hops{0};               //!< hops passed
    uint8_t m_room{0};               //!< records that there is room for
    std::vector<uint64_t> m_records; //!< of 64 bits each
};

} // namespace ns3

#endif /* INT_HEADER_H */
