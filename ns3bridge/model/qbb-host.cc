/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-host.h"

#include "qbb-call.h"
#include "qbb-network.h"

#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbHost");

NS_OBJECT_ENSURE_REGISTERED(QbbHost);

TypeId
QbbHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbHost")
                            .SetParent<QbbNode>()
                            .SetGroupName("Qbb")
                            .AddConstructor<QbbHost>()
                            .AddTraceSource("FlowReceived",
                                            "A queue pair has received its last byte",
                                            MakeTraceSourceAccessor(&QbbHost::m_received),
                                            "ns3::QbbHost::ReceivedCallback");
    return tid;
}

void
QbbHost::Open(uint32_t flow)
{
    NS_LOG_FUNCTION(this << flow);
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_run_open(GetNetwork()->GetRun(), QbbNow(), born, flow, actions, ROOM);
    });
}

void
QbbHost::SendDatagram(uint32_t port, qbb_datagram datagram)
{
    NS_LOG_FUNCTION(this << port << datagram.dst << datagram.bytes);
    datagram.size = sizeof datagram;
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_nic_send(GetHandle(), QbbNow(), born, port, &datagram, actions, ROOM);
    });
}

void
QbbHost::Deliver(uint32_t port, const qbb_packet& packet)
{
    const auto frame = GetNetwork()->GetDatagrams().Remove(packet.aux);
    EthernetHeader header(false);
    frame->PeekHeader(header);
    for (uint32_t i = 0; i < GetNPorts(); i++) // of several, the one that is meant
    {
        if (GetPort(i)->GetAddress() == header.GetDestination())
        {
            port = i;
        }
    }
    GetPort(port)->PassUp(frame);
}

void
QbbHost::Reroute()
{
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_nic_reroute(GetHandle(), QbbNow(), born, actions, ROOM);
    });
}

qbb_flow_state
QbbHost::GetFlow(int32_t qp) const
{
    qbb_flow_state state;
    QbbCheck(qbb_nic_flow(GetHandle(), qp, &state));
    return state;
}

void
QbbHost::CarryOutOther(const qbb_action& action)
{
    switch (action.kind)
    {
    case QBB_FLOW_DONE:
    case QBB_FLOW_FAILED:
        GetNetwork()->FlowEnded(action.flow, action.kind == QBB_FLOW_DONE);
        break;
    case QBB_FLOW_READY:
        GetNetwork()->FlowReady(action.flow, action.at);
        break;
    case QBB_FLOW_RECEIVED:
        m_received(action.flow);
        break;
    case QBB_DELIVERED:
        Deliver(action.port, action.packet);
        break;
    default:
        QbbNode::CarryOutOther(action);
    }
}

} // namespace ns3
