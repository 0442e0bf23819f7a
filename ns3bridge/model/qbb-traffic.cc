/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-traffic.h"

#include "qbb-call.h"
#include "qbb-channel.h"
#include "qbb-host.h"
#include "qbb-network.h"
#include "rdma-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbTraffic");

NS_OBJECT_ENSURE_REGISTERED(QbbTraffic);

std::set<QbbTraffic*> QbbTraffic::g_started;

TypeId
QbbTraffic::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbTraffic")
                            .SetParent<Object>()
                            .SetGroupName("Qbb")
                            .AddConstructor<QbbTraffic>();
    return tid;
}

QbbTraffic::~QbbTraffic() = default;

void
QbbTraffic::Start(Ptr<QbbNetwork> network)
{
    NS_ABORT_MSG_UNLESS(Simulator::Now().IsZero(),
                        "QbbHelper::Start comes at time 0, from which a scenario's times count, "
                        "not at " << Simulator::Now());
    network->StartOnce();
    m_network = network;
    g_started.insert(this);
    Simulator::ScheduleDestroy(&QbbTraffic::Dispose, Ptr<QbbTraffic>(this)); // keeps it until then
    ReadFlows();
    network->TraceConnectWithoutContext("FlowReady", MakeCallback(&QbbTraffic::FlowReady, this));
    network->TraceConnectWithoutContext("FlowEnded", MakeCallback(&QbbTraffic::FlowEnded, this));
    const qbb_run_info& info = network->GetInfo();
    m_changes.resize(info.changes);
    QbbCheck(qbb_run_changes(network->GetRun(), m_changes.data(), m_changes.size()));
    // Events of equal time run in the order of these lines.
    ScheduleFlows();
    if (!m_changes.empty())
    {
        Simulator::Schedule(QbbUntil(m_changes[0].at), &QbbTraffic::ChangeLinks, this, QbbNow());
    }
    if (info.sample_every > 0 && info.sample_start <= info.sample_end)
    {
        Simulator::Schedule(QbbUntil(info.sample_start), &QbbTraffic::Sample, this);
    }
    if (info.sweep_every > 0)
    {
        Simulator::Schedule(QbbUntil(info.sweep_every), &QbbTraffic::Sweep, this);
    }
    if (info.stop != QBB_NEVER)
    {
        Simulator::Stop(QbbUntil(info.stop));
    }
}

void
QbbTraffic::ReadFlows()
{
    const uint32_t n = m_network->GetInfo().flows;
    m_src.resize(n);
    m_after.resize(n);
    m_start.resize(n);
    qbb_flow_columns columns{};
    columns.size = sizeof columns;
    columns.src = m_src.data();
    columns.after = m_after.data();
    columns.start = m_start.data();
    QbbCheck(qbb_run_flows(m_network->GetRun(), 0, n, &columns));
}

void
QbbTraffic::ScheduleFlows()
{
    while (m_nextFlow < m_src.size() && m_after[m_nextFlow] >= 0)
    {
        m_nextFlow++;
    }
    if (m_nextFlow < m_src.size())
    {
        Simulator::Schedule(QbbUntil(m_start[m_nextFlow]),
                            &QbbTraffic::StartFlows,
                            this,
                            QbbNow());
    }
}

void
QbbTraffic::StartFlows(int64_t born)
{
    m_network->Begin(born);
    for (; m_nextFlow < m_src.size(); m_nextFlow++)
    {
        if (m_after[m_nextFlow] >= 0)
        {
            continue;
        }
        if (m_start[m_nextFlow] > QbbNow())
        {
            ScheduleFlows();
            return;
        }
        if (m_network->GetInfo().start_chain)
        {
            auto client = CreateObject<RdmaClient>();
            client->SetFlow(m_network, m_nextFlow);
            m_network->GetHost(m_src[m_nextFlow])->GetObject<Node>()->AddApplication(client);
        }
        else
        {
            StartFlow(m_nextFlow);
        }
    }
}

void
QbbTraffic::StartFlow(uint32_t flow)
{
    m_network->Open(m_src[flow], flow, Callback<void, bool>());
}

void
QbbTraffic::FlowReady(int32_t flow, int64_t at)
{
    m_ready.emplace(at, flow);
    m_startReady.Cancel();
    m_startReady = Simulator::Schedule(QbbUntil(m_ready.begin()->first),
                                       &QbbTraffic::StartReady,
                                       this,
                                       QbbNow());
}

void
QbbTraffic::StartReady(int64_t born)
{
    m_network->Begin(born);
    while (!m_ready.empty() && m_ready.begin()->first <= QbbNow())
    {
        const uint32_t flow = m_ready.begin()->second;
        m_ready.erase(m_ready.begin());
        StartFlow(flow);
    }
    if (!m_ready.empty())
    {
        m_startReady = Simulator::Schedule(QbbUntil(m_ready.begin()->first),
                                           &QbbTraffic::StartReady,
                                           this,
                                           QbbNow());
    }
}

void
QbbTraffic::FlowEnded(int32_t /* flow */, bool /* finished */)
{
    if (!m_src.empty() && std::all_of(g_started.begin(), g_started.end(), [](QbbTraffic* one) {
            return one->MayEnd();
        }))
    {
        Simulator::Stop();
    }
}

bool
QbbTraffic::MayEnd() const
{
    if (m_network->GetInfo().stop != QBB_NEVER)
    {
        return false; // Start has scheduled the end
    }
    const qbb_progress progress = m_network->GetProgress();
    return m_src.empty() || progress.ended == progress.flows;
}

void
QbbTraffic::ChangeLinks(int64_t born)
{
    m_network->Begin(born);
    for (; m_nextChange < m_changes.size() && m_changes[m_nextChange].at <= QbbNow();
         m_nextChange++)
    {
        const qbb_link_change& change = m_changes[m_nextChange];
        NS_LOG_LOGIC("link " << change.link << (change.up ? " returns" : " fails"));
        m_network->GetChannel(change.link)->SetUp(change.up);
    }
    m_network->Reroute();
    if (m_nextChange < m_changes.size())
    {
        Simulator::Schedule(QbbUntil(m_changes[m_nextChange].at),
                            &QbbTraffic::ChangeLinks,
                            this,
                            QbbNow());
    }
}

void
QbbTraffic::Sample()
{
    const qbb_run_info& info = m_network->GetInfo();
    QbbCheck(qbb_run_sample(m_network->GetRun(), QbbNow()));
    const int64_t next = QbbNow() + info.sample_every;
    if (next <= info.sample_end)
    {
        Simulator::Schedule(QbbUntil(next), &QbbTraffic::Sample, this);
    }
}

void
QbbTraffic::Sweep()
{
    QbbCheck(qbb_run_sweep(m_network->GetRun(), QbbNow()));
    if (!Simulator::IsFinished()) // something else may still happen
    {
        Simulator::Schedule(QbbUntil(QbbNow() + m_network->GetInfo().sweep_every),
                            &QbbTraffic::Sweep,
                            this);
    }
}

void
QbbTraffic::DoDispose()
{
    g_started.erase(this);
    m_network = nullptr;
    Object::DoDispose();
}

} // namespace ns3
