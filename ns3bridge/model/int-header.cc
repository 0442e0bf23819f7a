/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "int-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IntHeader);

TypeId
IntHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IntHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<IntHeader>();
    return tid;
}

IntHeader::IntHeader(uint32_t room)
    : m_room(room)
{
}

TypeId
IntHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
IntHeader::Add(const qbb_hop& hop)
{
    if (m_records.size() < m_room)
    {
        m_records.push_back((hop.at & 0xffffff) << 40 | (hop.tx & 0xfffff) << 20 |
                            (hop.queue & 0x1ffff) << 3);
    }
}

void
IntHeader::SetHops(uint8_t hops)
{
    m_hops = hops;
}

uint8_t
IntHeader::GetHops() const
{
    return m_hops;
}

const std::vector<uint64_t>&
IntHeader::GetRecords() const
{
    return m_records;
}

uint32_t
IntHeader::GetSerializedSize() const
{
    return 2 + 8 * m_room;
}

void
IntHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(m_hops);
    start.WriteU8(m_room);
    for (std::size_t i = 0; i < m_room; i++)
    {
        start.WriteHtonU64(i < m_records.size() ? m_records[i] : 0);
    }
}

uint32_t
IntHeader::Deserialize(Buffer::Iterator start)
{
    m_hops = start.ReadU8();
    m_room = start.ReadU8();
    m_records.clear();
    for (std::size_t i = 0; i < m_room; i++)
    {
        const uint64_t record = start.ReadNtohU64();
        if (i < m_hops)
        {
            m_records.push_back(record);
        }
    }
    return GetSerializedSize();
}

void
IntHeader::Print(std::ostream& os) const
{
    os << "hops=" << +m_hops;
    for (const auto record : m_records)
    {
        os << " (ts=" << (record >> 40) << " tx=" << (record >> 20 & 0xfffff)
           << " qlen=" << (record >> 3 & 0x1ffff) << ")";
    }
}

} // namespace ns3
