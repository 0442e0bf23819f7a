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
};

} // namespace ns3

#endif /* QBB_SWITCH_H */
