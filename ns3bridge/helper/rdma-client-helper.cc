/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-client-helper.h"

#include "ns3/integer.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rdma-client.h"

namespace ns3
{

RdmaClientHelper::RdmaClientHelper(Ptr<Node> remote, int64_t bytes)
{
    m_factory.SetTypeId("ns3::RdmaClient");
    m_factory.Set("Remote", PointerValue(remote));
    m_factory.Set("Bytes", IntegerValue(bytes));
}

void
RdmaClientHelper::SetAttribute(std::string name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

ApplicationContainer
RdmaClientHelper::Install(Ptr<Node> node) const
{
    auto client = m_factory.Create<RdmaClient>();
    node->AddApplication(client);
    return ApplicationContainer(client);
}

ApplicationContainer
RdmaClientHelper::Install(const NodeContainer& nodes) const
{
    ApplicationContainer clients;
    for (auto node = nodes.Begin(); node != nodes.End(); node++)
    {
        clients.Add(Install(*node));
    }
    return clients;
}

} // namespace ns3
