/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-network.h"

#include "qbb-call.h"
#include "qbb-channel.h"
#include "qbb-host.h"
#include "qbb-net-device.h"
#include "qbb-node.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetwork");

NS_OBJECT_ENSURE_REGISTERED(QbbNetwork);

TypeId
QbbNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbNetwork")
            .SetParent<Object>()
            .SetGroupName("Qbb")
            .AddConstructor<QbbNetwork>()
            .AddTraceSource("FlowEnded",
                            "A flow has been acknowledged completely, or given up",
                            MakeTraceSourceAccessor(&QbbNetwork::m_flowEnded),
                            "ns3::QbbNetwork::EndCallback")
            .AddTraceSource("FlowReady",
                            "A flow need not wait for another one any longer",
                            MakeTraceSourceAccessor(&QbbNetwork::m_flowReady),
                            "ns3::QbbNetwork::ReadyCallback");
    return tid;
}

QbbNetwork::~QbbNetwork()
{
    if (m_run)
    {
        QbbCheck(qbb_run_free(m_run));
    }
}

void
QbbNetwork::SetRun(qbb_run run)
{
    m_run = run;
    m_info.size = sizeof m_info;
    QbbCheck(qbb_run_describe(m_run, &m_info));
}

qbb_run
QbbNetwork::GetRun() const
{
    return m_run;
}

const qbb_run_info&
QbbNetwork::GetInfo() const
{
    return m_info;
}

void
QbbNetwork::Add(Ptr<QbbNode> node)
{
    NS_ABORT_MSG_UNLESS(node->GetId() == m_nodes.size(),
                        node->Describe() << " comes as number " << m_nodes.size());
    m_nodes.push_back(node);
}

void
QbbNetwork::Add(Ptr<QbbChannel> channel)
{
    m_channels.push_back(channel);
}

uint32_t
QbbNetwork::GetN() const
{
    return m_nodes.size();
}

Ptr<QbbNode>
QbbNetwork::GetNode(uint32_t id) const
{
    NS_ABORT_MSG_UNLESS(id < m_nodes.size(),
                        "there is no node with number " << id << " in the network, which has "
                                                        << m_nodes.size());
    return m_nodes[id];
}

Ptr<QbbHost>
QbbNetwork::GetHost(uint32_t id) const
{
    auto node = GetNode(id);
    auto host = DynamicCast<QbbHost>(node);
    NS_ABORT_MSG_UNLESS(host, node->Describe() << " is no host");
    return host;
}

Ptr<QbbHost>
QbbNetwork::FindHost(Mac48Address address) const
{
    auto found = m_ports.find(address);
    if (found == m_ports.end() || found->second->GetAddress() != address)
    {
        m_ports.clear();
        for (const auto& node : m_nodes)
        {
            auto host = DynamicCast<QbbHost>(node);
            for (uint32_t i = 0; host && i < host->GetNPorts(); i++)
            {
                auto port = host->GetPort(i);
                m_ports[Mac48Address::ConvertFrom(port->GetAddress())] = port;
            }
        }
        found = m_ports.find(address);
    }
    return found == m_ports.end() ? nullptr : DynamicCast<QbbHost>(found->second->GetMachine());
}

QbbDatagrams&
QbbNetwork::GetDatagrams()
{
    return m_datagrams;
}

Ptr<QbbChannel>
QbbNetwork::GetChannel(uint32_t link) const
{
    NS_ABORT_MSG_UNLESS(link < m_channels.size(),
                        "there is no link " << link << ": the network has " << m_channels.size());
    return m_channels[link];
}

void
QbbNetwork::StartOnce()
{
    NS_ABORT_MSG_IF(m_started,
                    "QbbHelper::Start has scheduled this network's scenario before: call it once");
    m_started = true;
}

bool
QbbNetwork::Write(qbb_file file, const std::string& path)
{
    return QbbCheck(qbb_run_write(m_run, file, path.empty() ? nullptr : path.c_str())) == 0;
}

void
QbbNetwork::Finish()
{
    QbbCheck(qbb_run_finish(m_run));
}

qbb_progress
QbbNetwork::GetProgress() const
{
    qbb_progress progress;
    progress.size = sizeof progress;
    QbbCheck(qbb_run_progress(m_run, &progress));
    return progress;
}

uint8_t
QbbNetwork::GetScheme(const std::string& tag) const
{
    return QbbCheck(qbb_run_tagged(m_run, tag.c_str()));
}

uint32_t
QbbNetwork::AddFlow(qbb_message message)
{
    uint32_t flow;
    message.size = sizeof message;
    QbbCheck(qbb_run_add(m_run, &message, &flow));
    return flow;
}

void
QbbNetwork::Open(uint32_t src, uint32_t flow, Callback<void, bool> ended)
{
    NS_LOG_FUNCTION(this << src << flow);
    m_flows[flow] = ended;
    GetHost(src)->Open(flow);
}

void
QbbNetwork::FlowEnded(int32_t flow, bool finished)
{
    NS_LOG_FUNCTION(this << flow << finished);
    const auto ended = m_flows.at(flow);
    m_flows.erase(flow);
    m_flowEnded(flow, finished);
    if (!ended.IsNull())
    {
        ended(finished);
    }
}

void
QbbNetwork::FlowReady(int32_t flow, int64_t at)
{
    NS_LOG_FUNCTION(this << flow << at);
    m_flowReady(flow, at);
}

void
QbbNetwork::Reroute()
{
    NS_LOG_FUNCTION(this);
    QbbCheck(qbb_run_reroute(m_run, QbbNow()));
    for (const auto& node : m_nodes)
    {
        if (auto host = DynamicCast<QbbHost>(node))
        {
            host->Reroute();
        }
    }
}

void
QbbNetwork::Begin(int64_t born)
{
    m_born = born;
}

int64_t
QbbNetwork::GetBorn() const
{
    return m_born;
}

int64_t
QbbNetwork::GetArrivalBorn(const Time& delay) const
{
    const bool late = QbbNow() - m_born < delay.GetPicoSeconds();
    return QbbNow() + (late ? 1 : 0);
}

void
QbbNetwork::DoDispose()
{
    m_nodes.clear();
    m_channels.clear();
    m_flows.clear();
    m_ports.clear();
    Object::DoDispose();
}

} // namespace ns3
