/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-flow-classifier.h"

#include "qbb-wire.h"

namespace ns3
{

FlowPacketId
QbbFlowClassifier::Classify(const qbb_packet& packet, FlowId* flow)
{
    const Key key{packet.src, packet.dst, packet.src_port, packet.dst_port};
    auto known = m_flows.find(key);
    if (known == m_flows.end())
    {
        known = m_flows.emplace(key, GetNewFlowId()).first;
        m_keys[known->second] = key;
    }
    *flow = known->second;
    return packet.seq;
}

QbbFlowClassifier::Key
QbbFlowClassifier::FindFlow(FlowId flow) const
{
    return m_keys.at(flow);
}

void
QbbFlowClassifier::SerializeToXmlStream(std::ostream& os, uint16_t indent) const
{
    Indent(os, indent);
    os << "<QbbFlowClassifier>\n";
    for (const auto& [flow, key] : m_keys)
    {
        Indent(os, indent + 2);
        os << "<Flow flowId=\"" << flow << "\" sourceAddress=\"" << QbbAddress(key.src)
           << "\" destinationAddress=\"" << QbbAddress(key.dst)
           << "\" protocol=\"17\" sourcePort=\"" << key.srcPort << "\" destinationPort=\"" << key.dstPort << "\" />\n";
    }
    Indent(os, indent);
    os << "</QbbFlowClassifier>\n";
}

} // namespace ns3
