/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-frame.h"

#include "qbb-wire.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ns3
{

QbbFrame::QbbFrame(const qbb_packet& packet, uint32_t header)
    : m_header(header)
{
    const std::size_t hops =
        packet.has_int ? std::min<std::size_t>(packet.n_hops, QBB_MAX_HOPS) : 0;
    std::memcpy(&m_content, &packet, offsetof(qbb_packet, hops) + hops * sizeof(qbb_hop));
}

QbbFrame::QbbFrame(const qbb_packet& packet, Ptr<const Packet> frame)
    : m_packet(frame)
{
    std::memcpy(&m_content, &packet, offsetof(qbb_packet, hops));
}

const qbb_packet&
QbbFrame::Get() const
{
    return m_content;
}

Ptr<const Packet>
QbbFrame::GetPacket() const
{
    if (!m_packet)
    {
        m_packet = QbbMakePacket(m_content, m_header);
    }
    return m_packet;
}

} // namespace ns3
