/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-flow-probe.h"

#include "qbb-network.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QbbFlowProbe);

TypeId
QbbFlowProbe::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbFlowProbe").SetParent<FlowProbe>().SetGroupName("Qbb");
    return tid;
}

QbbFlowProbe::QbbFlowProbe(Ptr<FlowMonitor> monitor,
                           Ptr<QbbFlowClassifier> classifier,
                           Ptr<QbbNode> node)
    : FlowProbe(monitor),
      m_classifier(classifier),
      m_node(node->GetId())
{
    for (uint32_t i = 0; i < node->GetNPorts(); i++)
    {
        auto port = node->GetPort(i);
        port->TraceConnectWithoutContext("TxFrame", MakeCallback(&QbbFlowProbe::Sent, this));
        port->TraceConnectWithoutContext("RxFrame", MakeCallback(&QbbFlowProbe::Received, this));
    }
    node->TraceConnectWithoutContext("Drop", MakeCallback(&QbbFlowProbe::Dropped, this));
}

void
QbbFlowProbe::Sent(const qbb_packet& packet)
{
    if (packet.kind == QBB_PKT_DATA && packet.src == m_node)
    {
        FlowId flow;
        const FlowPacketId id = m_classifier->Classify(packet, &flow);
        m_flowMonitor->ReportFirstTx(this, flow, id, packet.size);
    }
}

void
QbbFlowProbe::Received(const qbb_packet& packet)
{
    if (packet.kind != QBB_PKT_DATA)
    {
        return;
    }
    FlowId flow;
    const FlowPacketId id = m_classifier->Classify(packet, &flow);
    if (packet.dst == m_node)
    {
        m_flowMonitor->ReportLastRx(this, flow, id, packet.size);
    }
    else
    {
        m_flowMonitor->ReportForwarding(this, flow, id, packet.size);
    }
}

void
QbbFlowProbe::Dropped(const qbb_packet& packet, uint32_t /* port */)
{
    if (packet.kind == QBB_PKT_DATA)
    {
        FlowId flow;
        const FlowPacketId id = m_classifier->Classify(packet, &flow);
        m_flowMonitor->ReportDrop(this, flow, id, packet.size, DROP_NODE);
    }
}

void
QbbFlowProbe::DoDispose()
{
    m_classifier = nullptr;
    FlowProbe::DoDispose();
}

} // namespace ns3
