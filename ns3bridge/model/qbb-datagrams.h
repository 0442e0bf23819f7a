/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_DATAGRAMS_H
#define QBB_DATAGRAMS_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief The packets of ns-3's protocol stacks that are on their way through a network of RDMA
 * machines.
 *
 * The machines know a number and a length of each; this keeps the frame.
 */
class QbbDatagrams
{
  public:
    /**
     * \param frame a frame, from the Ethernet header to the check sequence
     * \return the number that identifies it until Remove
     */
    uint64_t Add(Ptr<const Packet> frame);

    /**
     * \param id the number of a frame
     * \return the frame
     */
    Ptr<const Packet> Get(uint64_t id) const;

    /**
     * \brief A frame has arrived, or is lost.
     * \param id its number
     * \return the frame
     */
    Ptr<const Packet> Remove(uint64_t id);

    /**
     * \return the number of frames that are on their way
     */
    std::size_t GetN() const;

  private:
    std::unordered_map<uint64_t, Ptr<const Packet>> m_frames; //!< by number
    uint64_t m_next{0};                                       //!< number of the next one
};

} // namespace ns3

#endif /* QBB_DATAGRAMS_H */
