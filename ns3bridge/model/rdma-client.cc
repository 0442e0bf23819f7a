/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-client.h"

#include "qbb-call.h"
#include "qbb-network.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaClient");

NS_OBJECT_ENSURE_REGISTERED(RdmaClient);

TypeId
RdmaClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaClient")
            .SetParent<Application>()
            .SetGroupName("Qbb")
            .AddConstructor<RdmaClient>()
            .AddAttribute("Remote",
                          "The host that receives",
                          PointerValue(),
                          MakePointerAccessor(&RdmaClient::SetRemote, &RdmaClient::GetRemote),
                          MakePointerChecker<Node>())
            .AddAttribute("Bytes",
                          "Length of the message",
                          IntegerValue(1000000),
                          MakeIntegerAccessor(&RdmaClient::SetBytes, &RdmaClient::GetBytes),
                          MakeIntegerChecker<int64_t>(1))
            .AddAttribute("Priority",
                          "Traffic class, 1 to 7",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RdmaClient::SetPriority, &RdmaClient::GetPriority),
                          MakeUintegerChecker<uint8_t>(1, QBB_CLASSES - 1))
            .AddAttribute("Tag",
                          "The tag for which the key cc_by_tag of the network names congestion "
                          "control; empty: that of the key cc",
                          StringValue(""),
                          MakeStringAccessor(&RdmaClient::SetTag, &RdmaClient::GetTag),
                          MakeStringChecker())
            .AddAttribute("SourcePort",
                          "UDP port at the source, by which paths of equal cost are chosen; 0: "
                          "10000 for the first flow of a pair of hosts, then counted up",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaClient::SetSourcePort,
                                               &RdmaClient::GetSourcePort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("DestinationPort",
                          "UDP port at the destination",
                          UintegerValue(100),
                          MakeUintegerAccessor(&RdmaClient::SetDestinationPort,
                                               &RdmaClient::GetDestinationPort),
                          MakeUintegerChecker<uint16_t>())
            .AddTraceSource("Completed",
                            "All of the message has been acknowledged",
                            MakeTraceSourceAccessor(&RdmaClient::m_completed),
                            "ns3::RdmaClient::EndCallback")
            .AddTraceSource("Failed",
                            "The message has been given up after too many time-outs",
                            MakeTraceSourceAccessor(&RdmaClient::m_failed),
                            "ns3::RdmaClient::EndCallback");
    return tid;
}

void
RdmaClient::SetFlow(Ptr<QbbNetwork> network, uint32_t flow)
{
    const auto run = network->GetRun();
    m_flow = flow;
    qbb_flow_columns columns{};
    columns.size = sizeof columns;
    columns.dst = &m_message.dst;
    columns.bytes = &m_message.bytes;
    columns.prio = &m_message.prio;
    columns.src_port = &m_message.src_port;
    columns.dst_port = &m_message.dst_port;
    QbbCheck(qbb_run_flows(run, flow, 1, &columns));
    m_remote = network->GetHost(m_message.dst)->GetObject<Node>();
    m_tag.resize(QbbCheck(qbb_run_tag(run, flow, nullptr, 0)));
    QbbCheck(qbb_run_tag(run, flow, m_tag.data(), m_tag.size() + 1)); // a string ends with a 0
}

void
RdmaClient::BeforeAdd(const std::string& attribute) const
{
    NS_ABORT_MSG_IF(m_flow >= 0,
                    attribute << " comes too late: this RdmaClient is flow " << m_flow
                              << " since its start; make another one");
}

void
RdmaClient::SetRemote(Ptr<Node> value)
{
    BeforeAdd("Remote");
    m_remote = value;
}

Ptr<Node>
RdmaClient::GetRemote() const
{
    return m_remote;
}

void
RdmaClient::SetTag(std::string value)
{
    BeforeAdd("Tag");
    m_tag = value;
}

std::string
RdmaClient::GetTag() const
{
    return m_tag;
}

void
RdmaClient::SetBytes(int64_t value)
{
    BeforeAdd("Bytes");
    m_message.bytes = value;
}

int64_t
RdmaClient::GetBytes() const
{
    return m_message.bytes;
}

void
RdmaClient::SetPriority(uint8_t value)
{
    BeforeAdd("Priority");
    m_message.prio = value;
}

uint8_t
RdmaClient::GetPriority() const
{
    return m_message.prio;
}

void
RdmaClient::SetSourcePort(uint16_t value)
{
    BeforeAdd("SourcePort");
    m_message.src_port = value;
}

uint16_t
RdmaClient::GetSourcePort() const
{
    return m_message.src_port;
}

void
RdmaClient::SetDestinationPort(uint16_t value)
{
    BeforeAdd("DestinationPort");
    m_message.dst_port = value;
}

uint16_t
RdmaClient::GetDestinationPort() const
{
    return m_message.dst_port;
}

int32_t
RdmaClient::GetFlowId() const
{
    return m_flow;
}

void
RdmaClient::DoInitialize()
{
    m_born = QbbNow(); // Application schedules the start now
    Application::DoInitialize();
}

void
RdmaClient::StartApplication()
{
    auto host = GetNode()->GetObject<QbbHost>();
    NS_ABORT_MSG_UNLESS(host, "node " << GetNode()->GetId() << " has no RDMA NIC: see QbbHelper");
    if (m_flow < 0)
    {
        Add(host);
    }
    NS_LOG_FUNCTION(this << m_flow);
    m_start = Simulator::Now();
    host->Begin(m_born);
    host->GetNetwork()->Open(host->GetId(), m_flow, MakeCallback(&RdmaClient::Ended, this));
}

void
RdmaClient::Add(Ptr<QbbHost> host)
{
    NS_ABORT_MSG_UNLESS(m_remote, "RdmaClient: set the attribute Remote");
    NS_ABORT_MSG_IF(m_remote == GetNode(),
                    "RdmaClient: the attribute Remote is node " << GetNode()->GetId()
                                                                << " itself");
    auto remote = m_remote->GetObject<QbbHost>();
    NS_ABORT_MSG_UNLESS(remote, "node " << m_remote->GetId() << " has no RDMA NIC: see QbbHelper");
    NS_ABORT_MSG_UNLESS(remote->GetNetwork() == host->GetNetwork(),
                        "node " << m_remote->GetId() << " is in another QbbNetwork than node "
                                << GetNode()->GetId());
    m_message.src = host->GetId();
    m_message.dst = remote->GetId();
    m_message.start = QbbNow();
    if (!m_tag.empty())
    {
        m_message.scheme = host->GetNetwork()->GetScheme(m_tag);
    }
    m_flow = host->GetNetwork()->AddFlow(m_message);
    qbb_flow_columns columns{};
    columns.size = sizeof columns;
    columns.src_port = &m_message.src_port; // counted, if the attribute is 0
    QbbCheck(qbb_run_flows(host->GetNetwork()->GetRun(), m_flow, 1, &columns));
}

void
RdmaClient::Ended(bool finished)
{
    NS_LOG_FUNCTION(this << finished);
    (finished ? m_completed : m_failed)(this, Simulator::Now() - m_start);
}

void
RdmaClient::DoDispose()
{
    m_remote = nullptr;
    Application::DoDispose();
}

} // namespace ns3
