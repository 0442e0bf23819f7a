/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-datagrams.h"

namespace ns3
{

uint64_t
QbbDatagrams::Add(Ptr<const Packet> frame)
{
    m_frames.emplace(m_next, frame);
    return m_next++;
}

Ptr<const Packet>
QbbDatagrams::Get(uint64_t id) const
{
    return m_frames.at(id);
}

Ptr<const Packet>
QbbDatagrams::Remove(uint64_t id)
{
    auto frame = m_frames.at(id);
    m_frames.erase(id);
    return frame;
}

std::size_t
QbbDatagrams::GetN() const
{
    return m_frames.size();
}

} // namespace ns3
