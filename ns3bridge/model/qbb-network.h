/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_NETWORK_H
#define QBB_NETWORK_H

#include "qbb-datagrams.h"

#include "ns3/callback.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <qbb.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class QbbChannel;
class QbbHost;
class QbbNetDevice;
class QbbNode;

/**
 * \ingroup qbb
 * \brief A network of RDMA machines: a run of the library that ns-3 hosts.
 *
 * It knows which machine is where, and handles what concerns more than one: flows, routes, files.
 * QbbHelper makes it.
 */
class QbbNetwork : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~QbbNetwork() override;

    /**
     * \brief Takes a hosted run, which is freed with this object.
     * \param run the run
     */
    void SetRun(qbb_run run);

    /**
     * \return the run
     */
    qbb_run GetRun() const;

    /**
     * \return what the run is made of
     */
    const qbb_run_info& GetInfo() const;

    /**
     * \brief Adds a machine, whose number is the next one.
     * \param node the machine
     */
    void Add(Ptr<QbbNode> node);

    /**
     * \brief Adds the channel of the next link of the run.
     * \param channel the channel
     */
    void Add(Ptr<QbbChannel> channel);

    /**
     * \return the number of nodes
     */
    uint32_t GetN() const;

    /**
     * \param id the number of a node
     * \return the machine
     */
    Ptr<QbbNode> GetNode(uint32_t id) const;

    /**
     * \param id the number of a node that is a host
     * \return the machine
     */
    Ptr<QbbHost> GetHost(uint32_t id) const;

    /**
     * \param address the present address of a port
     * \return the host that has the port, or nullptr if none has
     */
    Ptr<QbbHost> FindHost(Mac48Address address) const;

    /**
     * \return the packets of ns-3's protocol stacks that are on their way
     */
    QbbDatagrams& GetDatagrams();

    /**
     * \param link the number of a link of the run
     * \return the channel
     */
    Ptr<QbbChannel> GetChannel(uint32_t link) const;

    /**
     * \brief What the scenario has is being scheduled: QbbHelper::Start. Ends the program if it was before.
     */
    void StartOnce();

    /**
     * \brief Opens a file of the run, before its first event.
     * \param file one of enum qbb_file
     * \param path its name; "": as the scenario says
     * \return whether there is such a file
     */
    bool Write(qbb_file file, const std::string& path = "");

    /**
     * \brief Completes the files and gives them their names.
     */
    void Finish();

    /**
     * \return how far the run has come
     */
    qbb_progress GetProgress() const;

    /**
     * \param tag a tag for which the scenario names congestion control (key cc_by_tag)
     * \return what qbb_message.scheme is for flows with the tag
     */
    uint8_t GetScheme(const std::string& tag) const;

    /**
     * \brief Adds a flow that the scenario does not have.
     * \param message the flow; its field size is set here
     * \return its number
     */
    uint32_t AddFlow(qbb_message message);

    /**
     * \brief A flow starts now.
     * \param src number of the host at which it starts
     * \param flow its number
     * \param ended hears whether the flow has finished: all of it was acknowledged; or failed: it
     *              has been given up
     */
    void Open(uint32_t src, uint32_t flow, Callback<void, bool> ended);

    /**
     * \brief A flow has ended: its host says so.
     * \param flow its number
     * \param finished whether all of it was acknowledged
     */
    void FlowEnded(int32_t flow, bool finished);

    /**
     * \brief A flow need not wait for another one any longer.
     * \param flow its number
     * \param at when it is to be opened, in picoseconds
     */
    void FlowReady(int32_t flow, int64_t at);

    /**
     * \brief Computes routes again for the links that work, and binds flows to them.
     *
     * Call it after QbbChannel::SetUp.
     */
    void Reroute();

    /**
     * \brief An event begins.
     * \param born when it was scheduled, in picoseconds
     */
    void Begin(int64_t born);

    /**
     * \return when the present event was scheduled
     */
    int64_t GetBorn() const;

    /**
     * \brief Returns Begin's argument for the arrival of a packet that is sent now.
     * \param delay how long until it does
     * \return now, or a picosecond more if the present event was scheduled after the tick of now of
     *         a timer that ticks as often as that (see born of qbb_node_receive)
     */
    int64_t GetArrivalBorn(const Time& delay) const;

    /**
     * TracedCallback signature of the end of a flow.
     * \param flow number of the flow
     * \param finished whether all of it was acknowledged; otherwise it has been given up
     */
    typedef void (*EndCallback)(int32_t flow, bool finished);

    /**
     * TracedCallback signature of a flow that need not wait any longer.
     * \param flow number of the flow
     * \param at when it is to be opened, in picoseconds
     */
    typedef void (*ReadyCallback)(int32_t flow, int64_t at);

  protected:
    void DoDispose() override;

  private:
    qbb_run m_run{0};                        //!< the library's run
    qbb_run_info m_info{};                   //!< what it is made of
    int64_t m_born{0};                       //!< when the present event was scheduled
    bool m_started{false};                   //!< the scenario has been scheduled
    std::vector<Ptr<QbbNode>> m_nodes;       //!< by number
    std::vector<Ptr<QbbChannel>> m_channels; //!< by link
    std::unordered_map<int32_t, Callback<void, bool>> m_flows; //!< those that run
    mutable std::map<Mac48Address, Ptr<QbbNetDevice>> m_ports; //!< of hosts, as FindHost saw them
    QbbDatagrams m_datagrams; //!< packets of ns-3's protocol stacks that are on their way

    TracedCallback<int32_t, bool> m_flowEnded;    //!< flows that have ended
    TracedCallback<int32_t, int64_t> m_flowReady; //!< flows that need not wait any longer
};

} // namespace ns3

#endif /* QBB_NETWORK_H */
