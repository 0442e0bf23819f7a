/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_SWITCH_H
#define QBB_SWITCH_H

#include "qbb-node.h"

namespace ns3
{

/**
 * \ingroup qbb
 * \brief A switch: shared buffer, PFC, ECN, telemetry, queues and their service.
 */
class QbbSwitch : public QbbNode
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param port the number of a port
     * \return the bytes queued there, control frames excepted
     */
    int64_t GetDepth(uint32_t port) const;

    /**
     * TracedCallback signature of a queue that has become longer or shorter.
     * \param port the port
     * \param before the bytes queued there at the last report, 0 at first
     * \param now the bytes queued there now, control frames excepted
     */
    typedef void (*DepthCallback)(Ptr<const QbbNetDevice> port, int64_t before, int64_t now);

  protected:
    void Changed() override;

  private:
    std::vector<int64_t> m_depths; //!< as last reported, by port; empty: nobody has asked

    TracedCallback<Ptr<const QbbNetDevice>, int64_t, int64_t> m_depth; //!< queues, as they change
};

} // namespace ns3

#endif /* QBB_SWITCH_H */
