/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_CLIENT_H
#define RDMA_CLIENT_H

#include "qbb-host.h"

#include "ns3/application.h"
#include "ns3/traced-callback.h"

#include <qbb.h>

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Sends one message to another host when it starts.
 *
 * The node has a QbbHost. A flow cannot be stopped.
 */
class RdmaClient : public Application
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \brief Takes a flow that the scenario has, and sets the attributes to what it is.
     * \param network the network
     * \param flow its number
     */
    void SetFlow(Ptr<QbbNetwork> network, uint32_t flow);

    /**
     * \param value the host that receives
     */
    void SetRemote(Ptr<Node> value);

    /**
     * \return the host that receives
     */
    Ptr<Node> GetRemote() const;

    /**
     * \param value by which the congestion control is chosen
     */
    void SetTag(std::string value);

    /**
     * \return by which the congestion control is chosen
     */
    std::string GetTag() const;

    /**
     * \param value length of the message
     */
    void SetBytes(int64_t value);

    /**
     * \return length of the message
     */
    int64_t GetBytes() const;

    /**
     * \param value traffic class
     */
    void SetPriority(uint8_t value);

    /**
     * \return traffic class
     */
    uint8_t GetPriority() const;

    /**
     * \param value UDP port at the source
     */
    void SetSourcePort(uint16_t value);

    /**
     * \return UDP port at the source: the attribute, or the flow's own once it has started
     */
    uint16_t GetSourcePort() const;

    /**
     * \param value UDP port at the destination
     */
    void SetDestinationPort(uint16_t value);

    /**
     * \return UDP port at the destination
     */
    uint16_t GetDestinationPort() const;

    /**
     * \return the number of the flow in the run, or -1 if it has none yet
     */
    int32_t GetFlowId() const;

    /**
     * TracedCallback signature of the end of the flow.
     * \param client the client
     * \param time from the start until now
     */
    typedef void (*EndCallback)(Ptr<const RdmaClient> client, Time time);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;

    /**
     * \brief Refuses to change what the flow has been made of.
     * \param attribute the name of the attribute to be set
     */
    void BeforeAdd(const std::string& attribute) const;

    /**
     * \brief Adds the flow that the attributes describe to the run.
     * \param host where it starts
     */
    void Add(Ptr<QbbHost> host);

    /**
     * \param finished whether all was acknowledged
     */
    void Ended(bool finished);

    qbb_message m_message{}; //!< the message to send
    int32_t m_flow{-1};      //!< number of the flow; -1: it is not yet part of the run
    Ptr<Node> m_remote;      //!< where it ends
    std::string m_tag;       //!< by which its congestion control is chosen; "": the network's
    int64_t m_born{0};       //!< when the start was scheduled
    Time m_start;            //!< start time

    TracedCallback<Ptr<const RdmaClient>, Time> m_completed; //!< the flow has finished
    TracedCallback<Ptr<const RdmaClient>, Time> m_failed;    //!< the flow has been given up
};

} // namespace ns3

#endif /* RDMA_CLIENT_H */
