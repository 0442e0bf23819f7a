/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-header.h"

#include <ios>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BthHeader);

TypeId
BthHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BthHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<BthHeader>();
    return tid;
}

TypeId
BthHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
BthHeader::SetOpcode(uint8_t opcode)
{
    m_opcode = opcode;
}

uint8_t
BthHeader::GetOpcode() const
{
    return m_opcode;
}

void
BthHeader::SetFecn(bool fecn)
{
    m_fecn = fecn;
}

bool
BthHeader::GetFecn() const
{
    return m_fecn;
}

void
BthHeader::SetBecn(bool becn)
{
    m_becn = becn;
}

bool
BthHeader::GetBecn() const
{
    return m_becn;
}

void
BthHeader::SetQueuePair(uint32_t queuePair)
{
    m_queuePair = queuePair;
}

uint32_t
BthHeader::GetQueuePair() const
{
    return m_queuePair;
}

void
BthHeader::SetAckRequest(bool ackRequest)
{
    m_ackRequest = ackRequest;
}

bool
BthHeader::GetAckRequest() const
{
    return m_ackRequest;
}

void
BthHeader::SetSequence(uint32_t sequence)
{
    m_sequence = sequence;
}

uint32_t
BthHeader::GetSequence() const
{
    return m_sequence;
}

uint32_t
BthHeader::GetSerializedSize() const
{
    return 12;
}

void
BthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(m_opcode);
    start.WriteU8(0);
    start.WriteHtonU16(0xffff); // default partition
    start.WriteHtonU32(uint32_t(m_fecn) << 31 | uint32_t(m_becn) << 30 | (m_queuePair & 0xffffff));
    start.WriteHtonU32(uint32_t(m_ackRequest) << 31 | (m_sequence & 0xffffff));
}

uint32_t
BthHeader::Deserialize(Buffer::Iterator start)
{
    m_opcode = start.ReadU8();
    start.Next(3);
    const uint32_t pair = start.ReadNtohU32();
    m_fecn = pair >> 31;
    m_becn = pair >> 30 & 1;
    m_queuePair = pair & 0xffffff;
    const uint32_t number = start.ReadNtohU32();
    m_ackRequest = number >> 31;
    m_sequence = number & 0xffffff;
    return GetSerializedSize();
}

void
BthHeader::Print(std::ostream& os) const
{
    os << "opcode=0x" << std::hex << +m_opcode << std::dec << " qp=" << m_queuePair
       << " psn=" << m_sequence << (m_fecn ? " FECN" : "") << (m_becn ? " BECN" : "");
}

NS_OBJECT_ENSURE_REGISTERED(AethHeader);

TypeId
AethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AethHeader")
                            .SetParent<Header>()
                            .SetGroupName("Qbb")
                            .AddConstructor<AethHeader>();
    return tid;
}

TypeId
AethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
AethHeader::SetNack(bool nack)
{
    m_nack = nack;
}

bool
AethHeader::GetNack() const
{
    return m_nack;
}

void
AethHeader::SetMessages(uint32_t messages)
{
    m_messages = messages;
}

uint32_t
AethHeader::GetMessages() const
{
    return m_messages;
}

uint32_t
AethHeader::GetSerializedSize() const
{
    return 4;
}

void
AethHeader::Serialize(Buffer::Iterator start) const
{
    // Syndromes: ACK without credit count, and NAK for a sequence error.
    start.WriteHtonU32((m_nack ? 0x60u : 0x1fu) << 24 | (m_messages & 0xffffff));
}

uint32_t
AethHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t word = start.ReadNtohU32();
    m_nack = word >> 29 == 3;
    m_messages = word & 0xffffff;
    return GetSerializedSize();
}

void
AethHeader::Print(std::ostream& os) const
{
    os << (m_nack ? "NAK" : "ACK") << " msn=" << m_messages;
}

} // namespace ns3
