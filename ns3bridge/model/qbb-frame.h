/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_FRAME_H
#define QBB_FRAME_H

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include <qbb.h>
#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief A packet on its way over a link.
 *
 * The devices' part of it travels as the library's own struct. The ns-3 packet with its headers is
 * made when somebody looks: a trace sink, an error model.
 */
class QbbFrame : public SimpleRefCount<QbbFrame>
{
  public:
    /**
     * \param packet the packet to copy
     * \param header bytes of header of a data packet: see QbbMakePacket
     */
    QbbFrame(const qbb_packet& packet, uint32_t header);

    /**
     * \param packet the packet to copy
     * \param frame the packet with its headers
     */
    QbbFrame(const qbb_packet& packet, Ptr<const Packet> frame);

    /**
     * \return what the device at the other end receives
     */
    const qbb_packet& Get() const;

    /**
     * \return the packet with its headers, as long as it is on the wire; the same for every call
     */
    Ptr<const Packet> GetPacket() const;

  private:
    qbb_packet m_content;               //!< the library's packet
    uint32_t m_header{0};               //!< bytes of header of a data packet
    mutable Ptr<const Packet> m_packet; //!< made at the first look
};

} // namespace ns3

#endif /* QBB_FRAME_H */
