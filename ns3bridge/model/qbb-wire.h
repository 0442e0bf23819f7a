/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_WIRE_H
#define QBB_WIRE_H

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include <qbb.h>

#include <cstdint>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Makes the ns-3 packet of a packet of the library: RoCEv2 over Ethernet, PFC, CNM, or a
 * flow-control packet of InfiniBand.
 *
 * Its length is that on the wire. Data packets have as many bytes of header as the network says:
 * from 54 on these are Ethernet, IPv4, UDP and BthHeader, from 62 on with both checksums: ICRC, and
 * FCS as EthernetTrailer, which all Ethernet frames then have; below they are the HPCC simulator's,
 * with QbbSeqHeader and QbbAckHeader. What the scheme adds follows: IntHeader, or zeros.
 *
 * \param packet the packet
 * \param header bytes of a data packet besides payload and what the scheme adds
 * \return the packet with all headers
 */
Ptr<Packet> QbbMakePacket(const qbb_packet& packet, uint32_t header);

/**
 * \ingroup qbb
 * \param node the number of a node
 * \return the IPv4 address that packets name it by, which is the HPCC simulator's
 */
Ipv4Address QbbAddress(uint32_t node);

} // namespace ns3

#endif /* QBB_WIRE_H */
