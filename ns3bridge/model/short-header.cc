/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "short-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbSeqHeader);

TypeId
QbbSeqHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbSeqHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<QbbSeqHeader>();
    return tid;
}

TypeId
QbbSeqHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
QbbSeqHeader::SetSequence(uint32_t sequence)
{
    m_sequence = sequence;
}

uint32_t
QbbSeqHeader::GetSequence() const
{
    return m_sequence;
}

void
QbbSeqHeader::SetPriority(uint16_t priority)
{
    m_priority = priority;
}

uint16_t
QbbSeqHeader::GetPriority() const
{
    return m_priority;
}

uint32_t
QbbSeqHeader::GetSerializedSize() const
{
    return 6;
}

void
QbbSeqHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_sequence);
    start.WriteHtonU16(m_priority);
}

uint32_t
QbbSeqHeader::Deserialize(Buffer::Iterator start)
{
    m_sequence = start.ReadNtohU32();
    m_priority = start.ReadNtohU16();
    return GetSerializedSize();
}

void
QbbSeqHeader::Print(std::ostream& os) const
{
    os << "seq=" << m_sequence << " prio=" << m_priority;
}

NS_OBJECT_ENSURE_REGISTERED(QbbAckHeader);

TypeId
QbbAckHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbAckHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<QbbAckHeader>();
    return tid;
}

TypeId
QbbAckHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
QbbAckHeader::SetSourcePort(uint16_t sourcePort)
{
    m_sourcePort = sourcePort;
}

uint16_t
QbbAckHeader::GetSourcePort() const
{
    return m_sourcePort;
}

void
QbbAckHeader::SetDestinationPort(uint16_t destinationPort)
{
    m_destinationPort = destinationPort;
}

uint16_t
QbbAckHeader::GetDestinationPort() const
{
    return m_destinationPort;
}

void
QbbAckHeader::SetFlags(uint16_t flags)
{
    m_flags = flags;
}

uint16_t
QbbAckHeader::GetFlags() const
{
    return m_flags;
}

void
QbbAckHeader::SetPriority(uint16_t priority)
{
    m_priority = priority;
}

uint16_t
QbbAckHeader::GetPriority() const
{
    return m_priority;
}

void
QbbAckHeader::SetSequence(uint32_t sequence)
{
    m_sequence = sequence;
}

uint32_t
QbbAckHeader::GetSequence() const
{
    return m_sequence;
}

uint32_t
QbbAckHeader::GetSerializedSize() const
{
    return 12;
}

void
QbbAckHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_sourcePort);
    start.WriteHtonU16(m_destinationPort);
    start.WriteHtonU16(m_flags);
    start.WriteHtonU16(m_priority);
    start.WriteHtonU32(m_sequence);
}

uint32_t
QbbAckHeader::Deserialize(Buffer::Iterator start)
{
    m_sourcePort = start.ReadNtohU16();
    m_destinationPort = start.ReadNtohU16();
    m_flags = start.ReadNtohU16();
    m_priority = start.ReadNtohU16();
    m_sequence = start.ReadNtohU32();
    return GetSerializedSize();
}

void
QbbAckHeader::Print(std::ostream& os) const
{
    os << "ack=" << m_sequence << " flags=" << m_flags << " prio=" << m_priority;
}

} // namespace ns3
