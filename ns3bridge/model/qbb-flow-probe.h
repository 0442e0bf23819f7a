/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_FLOW_PROBE_H
#define QBB_FLOW_PROBE_H

#include "qbb-flow-classifier.h"
#include "qbb-node.h"

#include "ns3/flow-monitor.h"
#include "ns3/flow-probe.h"

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Reports the data packets of one machine to FlowMonitor.
 */
class QbbFlowProbe : public FlowProbe
{
  public:
    /// Why a packet is lost, as FlowMonitor counts it.
    enum DropReason
    {
        DROP_NODE = 0, //!< no buffer, no route, or its link has failed
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param monitor the monitor to which packets are reported
     * \param classifier names packets
     * \param node the machine
     */
    QbbFlowProbe(Ptr<FlowMonitor> monitor, Ptr<QbbFlowClassifier> classifier, Ptr<QbbNode> node);

  protected:
    void DoDispose() override;

  private:
    /**
     * \param packet a packet that is sent
     */
    void Sent(const qbb_packet& packet);

    /**
     * \param packet a packet that has been received
     */
    void Received(const qbb_packet& packet);

    /**
     * \param packet a packet that is dropped
     * \param port the port by which it arrived
     */
    void Dropped(const qbb_packet& packet, uint32_t port);

    Ptr<QbbFlowClassifier> m_classifier; //!< names packets
    int32_t m_node;                      //!< number of the machine
};

} // namespace ns3

#endif /* QBB_FLOW_PROBE_H */
