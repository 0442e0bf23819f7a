/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_TRAFFIC_H
#define QBB_TRAFFIC_H

#include "ns3/event-id.h"
#include "ns3/object.h"

#include <qbb.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

class QbbNetwork;

/**
 * \ingroup qbb
 * \brief Carries out a scenario: flows, failures of links, samples of queues, the end.
 *
 * Where the scenario wants flows to start by a chain of events, as in the HPCC simulator, they
 * are RdmaClient applications; otherwise they are opened at once.
 */
class QbbTraffic : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ~QbbTraffic() override;

    /**
     * \brief Schedules the network's scenario. Call it once, at time 0.
     *
     * The object then lives until Simulator::Destroy.
     *
     * \param network the network
     */
    void Start(Ptr<QbbNetwork> network);

  protected:
    void DoDispose() override;

  private:
    /// Reads the flows of the run.
    void ReadFlows();

    /**
     * \brief Starts the flows whose time has come.
     * \param born when that was scheduled
     */
    void StartFlows(int64_t born);

    /**
     * \brief Schedules StartFlows for the next flow that waits for no other, if there is one.
     */
    void ScheduleFlows();

    /**
     * \brief Starts a flow.
     * \param flow its number
     */
    void StartFlow(uint32_t flow);

    /**
     * \brief A flow need not wait for another one any longer.
     * \param flow its number
     * \param at when it starts
     */
    void FlowReady(int32_t flow, int64_t at);

    /**
     * \brief Starts the flows that have waited for others and whose time has come.
     * \param born when that was scheduled
     */
    void StartReady(int64_t born);

    /**
     * \brief Ends the simulation if all flows have ended, in a scenario with flows and without stop,
     * and other scenarios that have been started let it.
     * \param flow the flow that has ended last
     * \param finished whether it was acknowledged
     */
    void FlowEnded(int32_t flow, bool finished);

    /**
     * \return whether this scenario lets the simulation end now: it has no time to stop, and no
     * flows that have not ended
     */
    bool MayEnd() const;

    /**
     * \brief Takes links down and up.
     * \param born when that was scheduled
     */
    void ChangeLinks(int64_t born);

    /// Takes a sample of all queues.
    void Sample();

    /// Lets the congestion manager do its work.
    void Sweep();

    static std::set<QbbTraffic*> g_started; //!< those of the simulation

    Ptr<QbbNetwork> m_network;                        //!< the network
    std::vector<int32_t> m_src;                       //!< by flow: where it starts
    std::vector<int32_t> m_after;                     //!< by flow: what it waits for; -1: nothing
    std::vector<int64_t> m_start;                     //!< by flow: start time
    std::size_t m_nextFlow{0};                        //!< flow to be started next
    std::set<std::pair<int64_t, int32_t>> m_ready;    //!< flows that have waited, by time
    EventId m_startReady;                             //!< their start
    std::vector<qbb_link_change> m_changes;           //!< of links
    std::size_t m_nextChange{0};                      //!< change that comes next
};

} // namespace ns3

#endif /* QBB_TRAFFIC_H */
