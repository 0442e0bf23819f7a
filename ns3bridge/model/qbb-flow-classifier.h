/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_FLOW_CLASSIFIER_H
#define QBB_FLOW_CLASSIFIER_H

#include "ns3/flow-classifier.h"

#include <qbb.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <tuple>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Numbers the RDMA flows that FlowMonitor sees.
 */
class QbbFlowClassifier : public FlowClassifier
{
  public:
    /// Nodes and ports of a flow.
    struct Key
    {
        int32_t src;      //!< node
        int32_t dst;      //!< node
        uint16_t srcPort; //!< UDP port
        uint16_t dstPort; //!< UDP port

        /**
         * \param other another one
         * \return whether this one comes first
         */
        bool operator<(const Key& other) const
        {
            return std::tie(src, dst, srcPort, dstPort) <
                   std::tie(other.src, other.dst, other.srcPort, other.dstPort);
        }
    };

    /**
     * \brief Names a data packet. One that is sent again keeps its name.
     * \param packet the packet
     * \param flow the number of its flow
     * \return the number of the packet within the flow: its first byte, modulo 2^32
     */
    FlowPacketId Classify(const qbb_packet& packet, FlowId* flow);

    /**
     * \param flow the number of a flow
     * \return its nodes and ports
     */
    Key FindFlow(FlowId flow) const;

    // Inherited from FlowClassifier.
    void SerializeToXmlStream(std::ostream& os, uint16_t indent) const override;

  private:
    std::map<Key, FlowId> m_flows; //!< numbers assigned so far
    std::map<FlowId, Key> m_keys;  //!< the same, by number
};

} // namespace ns3

#endif /* QBB_FLOW_CLASSIFIER_H */
