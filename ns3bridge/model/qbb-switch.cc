/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-switch.h"

#include "qbb-call.h"

#include "ns3/log.h"

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
                            .AddConstructor<QbbSwitch>();
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

} // namespace ns3
