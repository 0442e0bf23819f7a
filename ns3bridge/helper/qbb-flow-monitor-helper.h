/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_FLOW_MONITOR_HELPER_H
#define QBB_FLOW_MONITOR_HELPER_H

#include "ns3/flow-monitor.h"
#include "ns3/node-container.h"
#include "ns3/qbb-flow-classifier.h"

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Lets FlowMonitor watch the data packets of RDMA flows.
 *
 * It has its own monitor: the numbers of flows would otherwise collide with those of the IP flows
 * that FlowMonitorHelper watches.
 */
class QbbFlowMonitorHelper
{
  public:
    QbbFlowMonitorHelper();

    /**
     * \brief Watches nodes; those without an RDMA machine are left out.
     * \param nodes the nodes
     * \return the monitor
     */
    Ptr<FlowMonitor> Install(const NodeContainer& nodes);

    /**
     * \return the monitor
     */
    Ptr<FlowMonitor> GetMonitor() const;

    /**
     * \return the classifier, which knows the nodes and ports of flows
     */
    Ptr<QbbFlowClassifier> GetClassifier() const;

  private:
    Ptr<FlowMonitor> m_monitor;          //!< the monitor
    Ptr<QbbFlowClassifier> m_classifier; //!< numbers flows
};

} // namespace ns3

#endif /* QBB_FLOW_MONITOR_HELPER_H */
