/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-flow-monitor-helper.h"

#include "ns3/node.h"
#include "ns3/qbb-flow-probe.h"

namespace ns3
{

QbbFlowMonitorHelper::QbbFlowMonitorHelper()
    : m_monitor(CreateObject<FlowMonitor>()),
      m_classifier(Create<QbbFlowClassifier>())
{
    m_monitor->AddFlowClassifier(m_classifier);
}

Ptr<FlowMonitor>
QbbFlowMonitorHelper::Install(const NodeContainer& nodes)
{
    for (auto node = nodes.Begin(); node != nodes.End(); node++)
    {
        if (auto machine = (*node)->GetObject<QbbNode>())
        {
            // The monitor holds the probe.
            Create<QbbFlowProbe>(m_monitor, m_classifier, machine);
        }
    }
    return m_monitor;
}

Ptr<FlowMonitor>
QbbFlowMonitorHelper::GetMonitor() const
{
    return m_monitor;
}

Ptr<QbbFlowClassifier>
QbbFlowMonitorHelper::GetClassifier() const
{
    return m_classifier;
}

} // namespace ns3
