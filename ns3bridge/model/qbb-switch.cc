/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-switch.h"

#include "qbb-call.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbSwitch");

NS_OBJECT_ENSURE_REGISTERED(QbbSwitch);

TypeId
QbbSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbSwitch")
                            .SetParent<QbbNode>()
                            .SetGroupName("Qbb")
                            .AddConstructor<QbbSwitch>()
                            .AddTraceSource("QueueDepth",
                                            "The queue of a port has become longer or shorter",
                                            MakeTraceSourceAccessor(&QbbSwitch::m_depth),
                                            "ns3::QbbSwitch::DepthCallback");
    return tid;
}

int64_t
QbbSwitch::GetDepth(uint32_t port) const
{
    NS_LOG_FUNCTION(this << port);
    int64_t bytes;
    QbbCheck(qbb_switch_depth(GetHandle(), port, &bytes));
    return bytes;
}

void
QbbSwitch::Changed()
{
    if (m_depth.IsEmpty())
    {
        return;
    }
    m_depths.resize(GetNPorts());
    for (uint32_t port = 0; port < m_depths.size(); port++)
    {
        const int64_t now = GetDepth(port);
        if (now != m_depths[port])
        {
            const int64_t before = std::exchange(m_depths[port], now);
            m_depth(GetPort(port), before, now);
        }
    }
}

} // namespace ns3
