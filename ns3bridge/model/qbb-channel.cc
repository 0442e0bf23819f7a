/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-channel.h"

#include "qbb-call.h"
#include "qbb-net-device.h"
#include "qbb-network.h"
#include "qbb-node.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbChannel");

NS_OBJECT_ENSURE_REGISTERED(QbbChannel);

TypeId
QbbChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbChannel")
            .SetParent<Channel>()
            .SetGroupName("Qbb")
            .AddConstructor<QbbChannel>()
            .AddAttribute("Delay",
                          "Propagation delay, one way",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&QbbChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("TxRxQbb",
                            "A transmission starts",
                            MakeTraceSourceAccessor(&QbbChannel::m_txRxTrace),
                            "ns3::QbbChannel::TxRxCallback");
    return tid;
}

void
QbbChannel::Attach(Ptr<QbbNetDevice> a, Ptr<QbbNetDevice> b)
{
    NS_ABORT_MSG_IF(m_ends[0], "the channel joins two ports already");
    m_ends = {a, b};
    a->SetChannel(this);
    b->SetChannel(this);
}

void
QbbChannel::Transmit(Ptr<QbbFrame> frame, Ptr<const QbbNetDevice> from, const Time& end)
{
    NS_LOG_FUNCTION(this << from << end);
    Ptr<QbbNetDevice> to = GetPeer(from);
    to->MustLive();
    if (!m_txRxTrace.IsEmpty())
    {
        m_txRxTrace(frame->GetPacket(), GetPeer(to), to, end, end + m_delay);
    }
    const Time arrival = end + m_delay;
    Simulator::ScheduleWithContext(to->GetNode()->GetId(),
                                   arrival,
                                   &QbbNetDevice::Receive,
                                   to,
                                   frame,
                                   from->GetMachine()->GetNetwork()->GetArrivalBorn(arrival));
}

void
QbbChannel::SetUp(bool up)
{
    NS_LOG_FUNCTION(this << up);
    m_up = up;
    for (const auto& port : m_ends)
    {
        port->LinkChanged();
    }
}

bool
QbbChannel::IsUp() const
{
    return m_up;
}

Time
QbbChannel::GetDelay() const
{
    return m_delay;
}

Ptr<QbbNetDevice>
QbbChannel::GetPeer(Ptr<const QbbNetDevice> port) const
{
    return port == m_ends[0] ? m_ends[1] : m_ends[0];
}

std::size_t
QbbChannel::GetNDevices() const
{
    return m_ends[0] ? m_ends.size() : 0;
}

Ptr<NetDevice>
QbbChannel::GetDevice(std::size_t i) const
{
    return m_ends.at(i);
}

void
QbbChannel::DoDispose()
{
    m_ends = {};
    Channel::DoDispose();
}

} // namespace ns3
