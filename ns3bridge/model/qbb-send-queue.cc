/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-send-queue.h"

#include "qbb-call.h"
#include "qbb-host.h"
#include "qbb-network.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbSendQueue");

NS_OBJECT_ENSURE_REGISTERED(QbbSendQueue);

TypeId
QbbSendQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbSendQueue")
            .SetParent<Object>()
            .SetGroupName("Qbb")
            .AddConstructor<QbbSendQueue>()
            .AddAttribute("Queue",
                          "Where frames wait, of which MaxSize says how many",
                          TypeId::ATTR_GET, // one that is set would be that of several ports
                          PointerValue(),
                          MakePointerAccessor(&QbbSendQueue::m_queue),
                          MakePointerChecker<Queue<Packet>>())
            .AddAttribute("Priority",
                          "Traffic class; lossless, unless the option lossy names it",
                          UintegerValue(1),
                          MakeUintegerAccessor(&QbbSendQueue::m_priority),
                          MakeUintegerChecker<uint8_t>(1, QBB_CLASSES - 1));
    return tid;
}

void
QbbSendQueue::SetPort(Ptr<QbbHost> host, uint32_t port)
{
    m_host = host;
    m_port = port;
    if (!m_queue)
    {
        m_queue = CreateObject<DropTailQueue<Packet>>();
    }
}

Ptr<Queue<Packet>>
QbbSendQueue::GetQueue() const
{
    return m_queue;
}

bool
QbbSendQueue::Enqueue(Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << frame);
    if (!m_queue->Enqueue(frame))
    {
        return false;
    }
    m_host->Begin(QbbNow());
    Next();
    return true;
}

void
QbbSendQueue::Done()
{
    m_held = false;
    Next();
}

void
QbbSendQueue::Next()
{
    while (!m_held && (!m_to.empty() || !m_queue->IsEmpty()))
    {
        if (m_to.empty())
        {
            Address();
            continue;
        }
        m_held = true;
        qbb_datagram datagram{};
        datagram.dst = m_to.front();
        datagram.bytes = m_frame->GetSize();
        datagram.prio = m_priority;
        datagram.id = m_host->GetNetwork()->GetDatagrams().Add(m_frame);
        m_to.pop_front();
        m_host->SendDatagram(m_port, datagram);
    }
}

void
QbbSendQueue::Address()
{
    m_frame = m_queue->Dequeue();
    EthernetHeader header(false);
    m_frame->PeekHeader(header);
    const auto network = m_host->GetNetwork();
    if (!header.GetDestination().IsGroup())
    {
        const auto host = network->FindHost(header.GetDestination());
        if (host && host != m_host)
        {
            m_to = {host->GetId()};
        }
        else
        {
            NS_LOG_WARN("dropped: the address has changed since the packet was sent");
        }
        return;
    }
    for (uint32_t id = 0; id < network->GetN(); id++)
    {
        if (id != m_host->GetId() && DynamicCast<QbbHost>(network->GetNode(id)))
        {
            m_to.push_back(id);
        }
    }
}

void
QbbSendQueue::Flush()
{
    m_to.clear();
    m_queue->Flush();
}

void
QbbSendQueue::DoDispose()
{
    m_host = nullptr;
    m_queue = nullptr;
    m_frame = nullptr;
    Object::DoDispose();
}

} // namespace ns3
