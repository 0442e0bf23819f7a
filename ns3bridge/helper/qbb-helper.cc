/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-helper.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/qbb-call.h"
#include "ns3/qbb-channel.h"
#include "ns3/qbb-options.h"
#include "ns3/qbb-send-queue.h"
#include "ns3/qbb-switch.h"
#include "ns3/qbb-traffic.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbHelper");

namespace
{

/**
 * \brief Refuses what has to happen before Install.
 * \param nodes of the helper
 * \param what is to happen
 */
void
BeforeInstall(const NodeContainer& nodes, const std::string& what)
{
    NS_ABORT_MSG_IF(nodes.GetN() > 0 && nodes.Get(0)->GetObject<QbbNode>(),
                    what << " comes after Install, and would have no effect: a QbbHelper makes one "
                            "network");
}

} // namespace

QbbHelper::QbbHelper()
    : m_options("ns3::QbbOptions"),
      m_device("ns3::QbbNetDevice"),
      m_channel("ns3::QbbChannel")
{
    static const std::string noFlows = "workload: none\n";
    QbbCheck(qbb_open(QBB_ABI_VERSION));
    QbbCheck(qbb_scenario_read("QbbHelper", noFlows.data(), noFlows.size(), &m_scenario));
    Set("options.order", "schedule");
}

QbbHelper::QbbHelper(const std::string& scenario)
    : m_options("ns3::QbbOptions"),
      m_device("ns3::QbbNetDevice"),
      m_channel("ns3::QbbChannel")
{
    QbbCheck(qbb_open(QBB_ABI_VERSION));
    QbbCheck(qbb_scenario_load(scenario.c_str(), &m_scenario));
    Set("options.order", "schedule");
}

QbbHelper::~QbbHelper()
{
    QbbCheck(qbb_scenario_free(m_scenario));
}

void
QbbHelper::Set(const std::string& key, const std::string& value)
{
    NS_LOG_FUNCTION(this << key << value);
    BeforeInstall(m_nodes, "Set(\"" + key + "\")");
    QbbCheck(qbb_scenario_set(m_scenario, key.c_str(), value.c_str()));
}

void
QbbHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    BeforeInstall(m_nodes, "SetAttribute(\"" + name + "\")");
    m_options.Set(name, value);
}

void
QbbHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    BeforeInstall(m_nodes, "SetDeviceAttribute(\"" + name + "\")");
    m_device.Set(name, value);
}

void
QbbHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    BeforeInstall(m_nodes, "SetChannelAttribute(\"" + name + "\")");
    m_channel.Set(name, value);
}

uint32_t
QbbHelper::AddNode(Ptr<Node> node, uint8_t kind)
{
    BeforeInstall(m_nodes, kind == 0 ? "AddHost" : "AddSwitch");
    NS_ABORT_MSG_IF(m_numbers.count(node),
                    "node " << node->GetId() << " is in the topology already");
    NS_ABORT_MSG_IF(node->GetObject<QbbNode>(),
                    "node " << node->GetId() << " is in the network of another QbbHelper");
    m_nodes.Add(node);
    m_kinds.push_back(kind);
    m_numbers[node] = m_kinds.size() - 1;
    return m_kinds.size() - 1;
}

uint32_t
QbbHelper::AddHost(Ptr<Node> node)
{
    return AddNode(node, 0);
}

uint32_t
QbbHelper::AddSwitch(Ptr<Node> node)
{
    return AddNode(node, 1);
}

int32_t
QbbHelper::NumberOf(Ptr<Node> node) const
{
    const auto found = m_numbers.find(node);
    NS_ABORT_MSG_IF(found == m_numbers.end(),
                    "node " << node->GetId()
                            << " is not in the topology: call AddHost or AddSwitch before Connect");
    return found->second;
}

std::string
QbbHelper::Numbers() const
{
    std::ostringstream text;
    bool same = true;
    for (uint32_t first = 0, next = 0; first < m_nodes.GetN(); first = next)
    {
        const uint32_t id = m_nodes.Get(first)->GetId();
        for (next = first + 1;
             next < m_nodes.GetN() && m_nodes.Get(next)->GetId() == id + next - first;
             next++)
        {
        }
        text << (first == 0 ? " (" : ", ") << first;
        if (next == first + 1)
        {
            text << " is node " << id;
        }
        else
        {
            text << " to " << next - 1 << " are nodes " << id << " to " << id + next - first - 1;
        }
        same = same && id == first;
    }
    return same ? "" : text.str() + " of ns-3)";
}

void
QbbHelper::Connect(Ptr<Node> a, Ptr<Node> b, DataRate rate, Time delay)
{
    qbb_link link{};
    BeforeInstall(m_nodes, "Connect");
    NS_ABORT_MSG_IF(a == b, "Connect: both ends of the link are node " << a->GetId());
    link.a = NumberOf(a);
    link.b = NumberOf(b);
    link.rate = rate.GetBitRate();
    link.delay = delay.GetPicoSeconds();
    m_links.push_back(link);
}

void
QbbHelper::Connect(Ptr<Node> a, Ptr<Node> b)
{
    Connect(a,
            b,
            m_device.Create<QbbNetDevice>()->GetDataRate(),
            m_channel.Create<QbbChannel>()->GetDelay());
}

Ptr<QbbNetwork>
QbbHelper::Install()
{
    BeforeInstall(m_nodes, "Install");
    m_options.Create<QbbOptions>()->Apply(m_scenario);
    const std::string numbers = Numbers();
    if (!m_kinds.empty())
    {
        QbbCheck(qbb_scenario_topology(m_scenario,
                                       m_kinds.data(),
                                       m_kinds.size(),
                                       m_links.data(),
                                       m_links.size()),
                 numbers.c_str());
    }
    qbb_run run;
    QbbCheck(qbb_run_new(m_scenario, QBB_RUN_HOSTED, &run), numbers.c_str());
    auto network = CreateObject<QbbNetwork>();
    network->SetRun(run);
    const qbb_run_info& info = network->GetInfo();
    m_kinds.resize(info.nodes);
    QbbCheck(qbb_run_kinds(run, m_kinds.data(), m_kinds.size()));
    std::vector<qbb_run_link> links(info.links);
    QbbCheck(qbb_run_links(run, links.data(), links.size()));
    if (m_nodes.GetN() == 0)
    {
        m_nodes.Create(info.nodes);
    }
    InstallMachines(network, links);
    InstallChannels(network, links);
    return network;
}

void
QbbHelper::InstallMachines(Ptr<QbbNetwork> network, const std::vector<qbb_run_link>& links)
{
    std::vector<std::vector<int64_t>> rates(m_kinds.size());
    for (const auto& link : links)
    {
        rates[link.a].push_back(link.rate);
        rates[link.b].push_back(link.rate);
    }
    for (std::size_t id = 0; id < m_kinds.size(); id++)
    {
        qbb_node handle;
        QbbCheck(qbb_run_node(network->GetRun(), id, &handle));
        Ptr<QbbNode> machine;
        if (m_kinds[id] == 0)
        {
            machine = CreateObject<QbbHost>();
        }
        else
        {
            machine = CreateObject<QbbSwitch>();
        }
        machine->Install(network, id, handle, rates[id], m_nodes.Get(id), m_device);
        if (auto host = DynamicCast<QbbHost>(machine))
        {
            InstallQueues(host);
        }
    }
}

void
QbbHelper::InstallQueues(Ptr<QbbHost> host)
{
    for (uint32_t i = 0; i < host->GetNPorts(); i++)
    {
        auto port = host->GetPort(i);
        auto queue = CreateObject<QbbSendQueue>();
        queue->SetPort(host, i);
        port->SetSendQueue(queue);
        auto interface = CreateObject<NetDeviceQueueInterface>();
        interface->GetTxQueue(0)->ConnectQueueTraces(queue->GetQueue());
        port->AggregateObject(interface);
    }
}

void
QbbHelper::InstallChannels(Ptr<QbbNetwork> network, const std::vector<qbb_run_link>& links)
{
    for (const auto& link : links)
    {
        auto channel = m_channel.Create<QbbChannel>();
        channel->SetAttribute("Delay", TimeValue(PicoSeconds(link.delay)));
        const auto a = network->GetNode(link.a)->GetPort(link.a_port);
        const auto b = network->GetNode(link.b)->GetPort(link.b_port);
        a->SetLossy(link.loss > 0);
        b->SetLossy(link.loss > 0);
        channel->Attach(a, b);
        network->Add(channel);
    }
}

void
QbbHelper::Start(Ptr<QbbNetwork> network)
{
    CreateObject<QbbTraffic>()->Start(network);
}

std::string
QbbHelper::Print() const
{
    std::string text(QbbCheck(qbb_scenario_print(m_scenario, nullptr, 0)) + 1, 0);
    QbbCheck(qbb_scenario_print(m_scenario, text.data(), text.size()));
    text.pop_back();
    return text;
}

NodeContainer
QbbHelper::GetNodes() const
{
    return m_nodes;
}

NetDeviceContainer
QbbHelper::GetHostDevices() const
{
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < m_nodes.GetN(); i++)
    {
        auto host = m_nodes.Get(i)->GetObject<QbbHost>();
        for (uint32_t port = 0; host && port < host->GetNPorts(); port++)
        {
            devices.Add(host->GetPort(port));
        }
    }
    return devices;
}

void
QbbHelper::EnablePcapInternal(std::string prefix,
                              Ptr<NetDevice> nd,
                              bool promiscuous,
                              bool explicitFilename)
{
    auto port = DynamicCast<QbbNetDevice>(nd);
    if (!port)
    {
        NS_LOG_INFO("device " << nd << " is no QbbNetDevice");
        return;
    }
    PcapHelper pcap;
    const std::string name =
        explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, port);
    auto file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<QbbNetDevice>(port, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
QbbHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                               std::string prefix,
                               Ptr<NetDevice> nd,
                               bool explicitFilename)
{
    auto port = DynamicCast<QbbNetDevice>(nd);
    if (!port)
    {
        NS_LOG_INFO("device " << nd << " is no QbbNetDevice");
        return;
    }
    Packet::EnablePrinting();
    AsciiTraceHelper ascii;
    if (stream) // which several devices may share
    {
        std::ostringstream path;
        path << "/NodeList/" << port->GetNode()->GetId() << "/DeviceList/" << port->GetIfIndex()
             << "/$ns3::QbbNetDevice/";
        const auto at = path.str();
        ascii.HookDefaultDequeueSinkWithContext<QbbNetDevice>(port,
                                                              at + "PhyTxBegin",
                                                              "PhyTxBegin",
                                                              stream);
        ascii.HookDefaultReceiveSinkWithContext<QbbNetDevice>(port,
                                                              at + "MacRx",
                                                              "MacRx",
                                                              stream);
        ascii.HookDefaultDropSinkWithContext<QbbNetDevice>(port,
                                                           at + "MacRxDrop",
                                                           "MacRxDrop",
                                                           stream);
        ascii.HookDefaultDropSinkWithContext<QbbNetDevice>(port,
                                                           at + "PhyRxDrop",
                                                           "PhyRxDrop",
                                                           stream);
        return;
    }
    stream = ascii.CreateFileStream(explicitFilename ? prefix
                                                     : ascii.GetFilenameFromDevice(prefix, port));
    ascii.HookDefaultDequeueSinkWithoutContext<QbbNetDevice>(port, "PhyTxBegin", stream);
    ascii.HookDefaultReceiveSinkWithoutContext<QbbNetDevice>(port, "MacRx", stream);
    ascii.HookDefaultDropSinkWithoutContext<QbbNetDevice>(port, "MacRxDrop", stream);
    ascii.HookDefaultDropSinkWithoutContext<QbbNetDevice>(port, "PhyRxDrop", stream);
}

} // namespace ns3
