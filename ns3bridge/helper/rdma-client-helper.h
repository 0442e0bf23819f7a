/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_CLIENT_HELPER_H
#define RDMA_CLIENT_HELPER_H

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Installs RdmaClient applications.
 */
class RdmaClientHelper
{
  public:
    /**
     * \param remote the host that receives
     * \param bytes length of the message
     */
    RdmaClientHelper(Ptr<Node> remote, int64_t bytes);

    /**
     * \brief Sets an attribute of the clients that are installed from now on.
     * \param name of the attribute
     * \param value its value
     */
    void SetAttribute(std::string name, const AttributeValue& value);

    /**
     * \param node a host
     * \return its new client
     */
    ApplicationContainer Install(Ptr<Node> node) const;

    /**
     * \param nodes hosts
     * \return the new client of each
     */
    ApplicationContainer Install(const NodeContainer& nodes) const;

  private:
    ObjectFactory m_factory; //!< makes the clients
};

} // namespace ns3

#endif /* RDMA_CLIENT_HELPER_H */
