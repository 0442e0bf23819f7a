/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-header.h"

#include "ns3/address-utils.h"

#include <algorithm>
#include <ios>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PfcHeader);

TypeId
PfcHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PfcHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<PfcHeader>();
    return tid;
}

TypeId
PfcHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
PfcHeader::SetClasses(uint8_t classes)
{
    m_classes = classes;
}

uint8_t
PfcHeader::GetClasses() const
{
    return m_classes;
}

void
PfcHeader::SetQuanta(uint16_t quanta)
{
    m_quanta = quanta;
}

uint16_t
PfcHeader::GetQuanta() const
{
    return m_quanta;
}

uint32_t
PfcHeader::GetSerializedSize() const
{
    return 20;
}

void
PfcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(0x0101); // opcode
    start.WriteHtonU16(m_classes);
    for (int i = 0; i < 8; i++)
    {
        start.WriteHtonU16(m_classes >> i & 1 ? m_quanta : 0);
    }
}

uint32_t
PfcHeader::Deserialize(Buffer::Iterator start)
{
    start.Next(2);
    m_classes = start.ReadNtohU16();
    m_quanta = 0;
    for (int i = 0; i < 8; i++)
    {
        m_quanta = std::max(m_quanta, start.ReadNtohU16());
    }
    return GetSerializedSize();
}

void
PfcHeader::Print(std::ostream& os) const
{
    os << "classes=0x" << std::hex << +m_classes << std::dec << " quanta=" << m_quanta;
}

NS_OBJECT_ENSURE_REGISTERED(CnmHeader);

TypeId
CnmHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CnmHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<CnmHeader>();
    return tid;
}

TypeId
CnmHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CnmHeader::SetFeedback(uint8_t feedback)
{
    m_feedback = feedback;
}

uint8_t
CnmHeader::GetFeedback() const
{
    return m_feedback;
}

void
CnmHeader::SetCongestionPoint(uint64_t congestionPoint)
{
    m_congestionPoint = congestionPoint;
}

uint64_t
CnmHeader::GetCongestionPoint() const
{
    return m_congestionPoint;
}

void
CnmHeader::SetQueueOffset(uint16_t queueOffset)
{
    m_queueOffset = queueOffset;
}

uint16_t
CnmHeader::GetQueueOffset() const
{
    return m_queueOffset;
}

void
CnmHeader::SetQueueDelta(uint16_t queueDelta)
{
    m_queueDelta = queueDelta;
}

uint16_t
CnmHeader::GetQueueDelta() const
{
    return m_queueDelta;
}

void
CnmHeader::SetPriority(uint16_t priority)
{
    m_priority = priority;
}

uint16_t
CnmHeader::GetPriority() const
{
    return m_priority;
}

void
CnmHeader::SetDestination(Mac48Address destination)
{
    m_destination = destination;
}

Mac48Address
CnmHeader::GetDestination() const
{
    return m_destination;
}

uint32_t
CnmHeader::GetSerializedSize() const
{
    return 24;
}

void
CnmHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_feedback & 0x3f); // version 0
    start.WriteHtonU64(m_congestionPoint);
    start.WriteHtonU16(m_queueOffset);
    start.WriteHtonU16(m_queueDelta);
    start.WriteHtonU16(m_priority);
    WriteTo(start, m_destination);
    start.WriteHtonU16(0); // no part of the packet follows
}

uint32_t
CnmHeader::Deserialize(Buffer::Iterator start)
{
    m_feedback = start.ReadNtohU16() & 0x3f;
    m_congestionPoint = start.ReadNtohU64();
    m_queueOffset = start.ReadNtohU16();
    m_queueDelta = start.ReadNtohU16();
    m_priority = start.ReadNtohU16();
    ReadFrom(start, m_destination);
    start.Next(2);
    return GetSerializedSize();
}

void
CnmHeader::Print(std::ostream& os) const
{
    os << "feedback=" << +m_feedback << " cp=" << m_congestionPoint << " prio=" << m_priority;
}

NS_OBJECT_ENSURE_REGISTERED(CreditHeader);

TypeId
CreditHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CreditHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<CreditHeader>();
    return tid;
}

TypeId
CreditHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CreditHeader::SetLane(uint8_t lane)
{
    m_lane = lane;
}

uint8_t
CreditHeader::GetLane() const
{
    return m_lane;
}

void
CreditHeader::SetSent(uint16_t sent)
{
    m_sent = sent;
}

uint16_t
CreditHeader::GetSent() const
{
    return m_sent;
}

void
CreditHeader::SetLimit(uint16_t limit)
{
    m_limit = limit;
}

uint16_t
CreditHeader::GetLimit() const
{
    return m_limit;
}

uint32_t
CreditHeader::GetSerializedSize() const
{
    return 6;
}

void
CreditHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_sent & 0xfff);
    start.WriteHtonU16((m_lane & 0xf) << 12 | (m_limit & 0xfff));
    start.WriteU16(0); // checksum
}

uint32_t
CreditHeader::Deserialize(Buffer::Iterator start)
{
    m_sent = start.ReadNtohU16() & 0xfff;
    const uint16_t word = start.ReadNtohU16();
    m_lane = word >> 12;
    m_limit = word & 0xfff;
    return GetSerializedSize();
}

void
CreditHeader::Print(std::ostream& os) const
{
    os << "lane=" << +m_lane << " fctbs=" << m_sent << " fccl=" << m_limit;
}

} // namespace ns3
