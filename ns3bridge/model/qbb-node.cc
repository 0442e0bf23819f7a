/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-node.h"

#include "qbb-call.h"
#include "qbb-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/names.h"
#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNode");

NS_OBJECT_ENSURE_REGISTERED(QbbNode);

TypeId
QbbNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbNode")
                            .SetParent<Object>()
                            .SetGroupName("Qbb")
                            .AddTraceSource("Drop",
                                            "A packet is thrown away: no buffer, no route, or its "
                                            "link has failed",
                                            MakeTraceSourceAccessor(&QbbNode::m_drop),
                                            "ns3::QbbNode::DropCallback");
    return tid;
}

QbbNode::QbbNode() = default;

QbbNode::~QbbNode() = default;

void
QbbNode::Install(Ptr<QbbNetwork> network,
                 uint32_t id,
                 qbb_node handle,
                 const std::vector<int64_t>& rates,
                 Ptr<Node> node,
                 const ObjectFactory& factory)
{
    NS_LOG_FUNCTION(this << id << rates.size());
    m_network = network;
    m_id = id;
    m_handle = handle;
    for (const auto rate : rates)
    {
        auto port = factory.Create<QbbNetDevice>();
        port->SetMachine(this, m_ports.size(), DataRate(rate), network->GetInfo().header);
        port->SetAddress(Mac48Address::Allocate());
        node->AddDevice(port);
        m_ports.push_back(port);
    }
    node->AggregateObject(this);
    network->Add(this);
}

uint32_t
QbbNode::GetId() const
{
    return m_id;
}

std::string
QbbNode::Describe() const
{
    const auto node = GetObject<Node>();
    const auto name = Names::FindName(node);
    std::ostringstream text;
    text << "node " << node->GetId() << (name.empty() ? "" : " \"" + name + "\"")
         << " (number " << m_id << " of the network)";
    return text.str();
}

qbb_node
QbbNode::GetHandle() const
{
    return m_handle;
}

Ptr<QbbNetwork>
QbbNode::GetNetwork() const
{
    NS_ABORT_MSG_UNLESS(m_network,
                        Describe() << " has been disposed of, and something still concerns it: "
                                      "during a run, take its links down instead "
                                      "(QbbChannel::SetUp, then QbbNetwork::Reroute)");
    return m_network;
}

uint32_t
QbbNode::GetNPorts() const
{
    return m_ports.size();
}

Ptr<QbbNetDevice>
QbbNode::GetPort(uint32_t port) const
{
    GetNetwork(); // without which there are no ports
    NS_ABORT_MSG_UNLESS(port < m_ports.size(),
                        Describe() << " has no port " << port << ": it has " << m_ports.size());
    return m_ports[port];
}

qbb_counters
QbbNode::GetCounters(uint32_t port) const
{
    qbb_counters counters;
    QbbCheck(qbb_node_counters(m_handle, port, QbbNow(), &counters));
    return counters;
}

void
QbbNode::Begin(int64_t born)
{
    GetNetwork()->Begin(born);
}

int64_t
QbbNode::GetBorn() const
{
    return GetNetwork()->GetBorn();
}

void
QbbNode::Receive(uint32_t port, const qbb_packet& packet)
{
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_node_receive(m_handle, QbbNow(), born, port, &packet, actions, ROOM);
    });
}

void
QbbNode::TxDone(uint32_t port)
{
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_node_tx_done(m_handle, QbbNow(), born, port, actions, ROOM);
    });
}

void
QbbNode::Wake(uint32_t port)
{
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_node_wake(m_handle, QbbNow(), born, port, actions, ROOM);
    });
}

void
QbbNode::SetLink(uint32_t port, bool up)
{
    Tell([&](int64_t born, qbb_action* actions) {
        return qbb_node_set_link(m_handle, QbbNow(), born, port, up, actions, ROOM);
    });
}

void
QbbNode::Obey(int n, const qbb_action* actions)
{
    const uint32_t count = QbbCheck(n);
    const uint32_t first = std::min(count, ROOM);
    std::vector<qbb_action> rest(count - first);
    if (!rest.empty())
    {
        QbbCheck(qbb_node_more(m_handle, rest.data(), rest.size()));
    }
    if (m_depth > 0 && !m_kicked)
    {
        m_later.insert(m_later.end(), actions, actions + first);
        m_later.insert(m_later.end(), rest.begin(), rest.end());
        return;
    }
    m_kicked = false;
    m_depth++;
    CarryOut(actions, first);
    CarryOut(rest.data(), rest.size());
    while (m_depth == 1 && !m_later.empty())
    {
        std::vector<qbb_action> later;
        later.swap(m_later);
        CarryOut(later.data(), later.size());
    }
    m_depth--;
}

void
QbbNode::CarryOut(const qbb_action* actions, uint32_t n)
{
    for (const auto* a = actions; a < actions + n; a++)
    {
        switch (a->kind)
        {
        case QBB_TRANSMIT:
            GetPort(a->port)->Transmit(*a);
            break;
        case QBB_KICK:
            m_kicked = true; // what the node asks for now comes in the place of the Kick
            GetPort(a->port)->Kick();
            m_kicked = false;
            break;
        case QBB_SET_WAKE:
            GetPort(a->port)->SetWake(a->at);
            break;
        case QBB_PAUSED:
        case QBB_RESUMED:
            GetPort(a->port)->PfcReceived(a->classes, a->kind == QBB_PAUSED);
            break;
        case QBB_DROPPED:
            m_drop(a->packet, a->port);
            GetPort(a->port)->Dropped(a->packet);
            break;
        default:
            CarryOutOther(*a);
        }
    }
}

void
QbbNode::CarryOutOther(const qbb_action& action)
{
    NS_FATAL_ERROR("qbb: " << Describe() << " wants an action of kind " << action.kind
                           << ", which this module does not know");
}

void
QbbNode::Changed()
{
}

void
QbbNode::DoDispose()
{
    m_network = nullptr;
    m_ports.clear();
    m_later.clear();
    Object::DoDispose();
}

} // namespace ns3
