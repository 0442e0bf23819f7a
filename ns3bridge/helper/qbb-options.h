/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_OPTIONS_H
#define QBB_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <qbb.h>

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief The main options of a network as Attributes.
 *
 * Config::SetDefault, CommandLine, ConfigStore and QbbHelper::SetAttribute set them. An empty text
 * or 0 leaves the option as the scenario has it; anything else counts, whatever the scenario says.
 */
class QbbOptions : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \brief Sets the keys of a scenario.
     * \param scenario the scenario
     */
    void Apply(qbb_scenario scenario) const;

  private:
    /**
     * \brief Sets the parameters of the scheme.
     * \param scenario the scenario
     */
    void ApplyParameters(qbb_scenario scenario) const;

    /**
     * \brief Sets the thresholds of marks, instead of those that the scenario has.
     * \param scenario the scenario
     */
    void ApplyThresholds(qbb_scenario scenario) const;

    std::string m_congestionControl; //!< name of the scheme
    std::string m_parameters;        //!< of the scheme
    std::string m_flowControl;       //!< of links
    std::string m_lossy;             //!< classes that are dropped, not paused
    std::string m_ecnMark;           //!< when packets are marked
    std::string m_recovery;          //!< what is sent again after a loss
    uint64_t m_seed{0};              //!< of all random numbers
    uint32_t m_mtu{0};               //!< payload of a full packet
    uint64_t m_buffer{0};            //!< memory of a switch
    DataRate m_ecnRate;              //!< of the links that have the thresholds
    uint64_t m_ecnMin{0};            //!< no marks up to here
    uint64_t m_ecnMax{0};            //!< every packet above
    double m_ecnProbability{0};      //!< at m_ecnMax
    Time m_hostDelay;                //!< until an answer
    Time m_timeout;                  //!< without progress
};

} // namespace ns3

#endif /* QBB_OPTIONS_H */
