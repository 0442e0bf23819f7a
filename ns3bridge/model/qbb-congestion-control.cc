/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-congestion-control.h"

#include "qbb-call.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbCongestionControl");

NS_OBJECT_ENSURE_REGISTERED(QbbCongestionControl);

TypeId
QbbCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbCongestionControl")
            .SetParent<Object>()
            .SetGroupName("Qbb")
            .AddConstructor<QbbCongestionControl>()
            .AddAttribute("Scheme",
                          "Name of the congestion control: see qbb_scheme_name",
                          StringValue("hpcc"),
                          MakeStringAccessor(&QbbCongestionControl::SetScheme,
                                             &QbbCongestionControl::GetScheme),
                          MakeStringChecker())
            .AddAttribute("Parameters",
                          "Its parameters: name=value,name=value, or a JSON object",
                          StringValue(""),
                          MakeStringAccessor(&QbbCongestionControl::SetParameters,
                                             &QbbCongestionControl::GetParameters),
                          MakeStringChecker())
            .AddTraceSource("Changed",
                            "The scheme has given an answer",
                            MakeTraceSourceAccessor(&QbbCongestionControl::m_changed),
                            "ns3::QbbCongestionControl::ChangedCallback");
    return tid;
}

QbbCongestionControl::~QbbCongestionControl()
{
    if (m_sender)
    {
        QbbCheck(qbb_sender_free(m_sender));
        QbbCheck(qbb_scheme_free(m_scheme));
    }
}

void
QbbCongestionControl::BeforeMake(const std::string& attribute) const
{
    NS_ABORT_MSG_IF(m_sender,
                    attribute << " comes too late: this QbbCongestionControl runs " << m_name
                              << " since Start or GetTraits; make another one");
}

void
QbbCongestionControl::SetScheme(std::string name)
{
    BeforeMake("Scheme");
    m_name = name;
}

std::string
QbbCongestionControl::GetScheme() const
{
    return m_name;
}

void
QbbCongestionControl::SetParameters(std::string params)
{
    BeforeMake("Parameters");
    m_params = params;
}

std::string
QbbCongestionControl::GetParameters() const
{
    return m_params;
}

void
QbbCongestionControl::Make() const
{
    if (m_sender)
    {
        return;
    }
    QbbCheck(qbb_open(QBB_ABI_VERSION));
    QbbCheck(qbb_scheme_new(m_name.c_str(), m_params.c_str(), &m_scheme));
    QbbCheck(qbb_scheme_traits(m_scheme, &m_traits));
    QbbCheck(qbb_sender_new(m_scheme, &m_sender));
}

void
QbbCongestionControl::Start(qbb_flow flow)
{
    NS_LOG_FUNCTION(this << flow.id);
    Make();
    flow.size = sizeof flow;
    QbbCheck(qbb_sender_start(m_sender, QbbNow(), &flow, &m_control));
    Obey();
}

void
QbbCongestionControl::Step(qbb_signal signal)
{
    NS_LOG_FUNCTION(this << signal.kind);
    NS_ABORT_MSG_UNLESS(m_sender, "QbbCongestionControl: call Start first");
    signal.now = QbbNow();
    signal.born = QBB_NEVER;
    QbbCheck(qbb_sender_step(m_sender, &signal, &m_control));
    Obey();
}

void
QbbCongestionControl::Ack(int64_t acked,
                          int64_t newly,
                          int64_t next,
                          Time sent,
                          bool ece,
                          const qbb_hop* hops,
                          uint32_t nHops)
{
    if (ece && GetTraits().notify_is_echo)
    {
        Cnp();
    }
    qbb_signal signal{};
    signal.kind = QBB_ACK;
    signal.flags = ece ? QBB_ECE : 0;
    signal.bytes = newly;
    signal.marked = ece ? newly : 0;
    signal.acked = acked;
    signal.next = next;
    signal.in_flight = next - acked;
    signal.sent_at = sent.GetPicoSeconds();
    signal.rtt = QbbNow() - signal.sent_at;
    signal.n_hops = nHops;
    signal.hops = hops;
    Step(signal);
}

void
QbbCongestionControl::Cnp(uint64_t field)
{
    qbb_signal signal{};
    signal.kind = QBB_NOTIFY;
    signal.aux = field;
    Step(signal);
}

void
QbbCongestionControl::Sent(int64_t bytes)
{
    qbb_signal signal{};
    signal.kind = QBB_SENT;
    signal.bytes = bytes;
    Step(signal);
}

void
QbbCongestionControl::Loss(int64_t acked, int64_t next, bool timeout)
{
    qbb_signal signal{};
    signal.kind = QBB_LOSS;
    signal.flags = timeout ? QBB_TIMEOUT : 0;
    signal.acked = acked;
    signal.next = next;
    Step(signal);
}

void
QbbCongestionControl::Timer()
{
    qbb_signal signal{};
    signal.kind = QBB_TIMER;
    Step(signal);
}

void
QbbCongestionControl::Obey()
{
    m_timer.Cancel();
    if (m_control.wake != QBB_NEVER && !m_traits.lazy_timers)
    {
        m_timer =
            Simulator::Schedule(QbbUntil(m_control.wake), &QbbCongestionControl::Timer, this);
    }
    m_changed(m_control);
}

const qbb_traits&
QbbCongestionControl::GetTraits() const
{
    Make();
    return m_traits;
}

DataRate
QbbCongestionControl::GetRate()
{
    return DataRate(GetControl().rate);
}

int64_t
QbbCongestionControl::GetWindow()
{
    return GetControl().window;
}

Time
QbbCongestionControl::GetGap()
{
    return PicoSeconds(GetControl().gap);
}

const qbb_control&
QbbCongestionControl::GetControl()
{
    NS_ABORT_MSG_UNLESS(m_control.rate > 0, "QbbCongestionControl: call Start first");
    if (m_traits.lazy_timers && m_control.wake <= QbbNow())
    {
        Timer();
    }
    return m_control;
}

void
QbbCongestionControl::DoDispose()
{
    m_timer.Cancel();
    Object::DoDispose();
}

} // namespace ns3
