/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-options.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/qbb-call.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbOptions");

NS_OBJECT_ENSURE_REGISTERED(QbbOptions);

namespace
{

constexpr double ECN_PROBABILITY = 1;       //!< by default
constexpr const char* ECN_RATE = "100Gbps"; //!< by default

/**
 * \brief Sets a key, unless its value is that of an option that is left alone.
 * \param scenario the scenario
 * \param key the key
 * \param value its value; "" leaves it alone
 */
void
Set(qbb_scenario scenario, const std::string& key, const std::string& value)
{
    if (!value.empty())
    {
        NS_LOG_LOGIC(key << " = " << value);
        QbbCheck(qbb_scenario_set(scenario, key.c_str(), value.c_str()));
    }
}

/**
 * \param number a number
 * \param unit its unit
 * \return both, or "" for 0
 */
std::string
Text(uint64_t number, const std::string& unit)
{
    return number == 0 ? "" : std::to_string(number) + unit;
}

/**
 * \param time a time
 * \return the time with its unit, or "" for 0
 */
std::string
Text(const Time& time)
{
    return Text(time.GetPicoSeconds(), "ps");
}

} // namespace

TypeId
QbbOptions::GetTypeId()
{
    static TypeId tid = [] {
        TypeId t = TypeId("ns3::QbbOptions")
                       .SetParent<Object>()
                       .SetGroupName("Qbb")
                       .AddConstructor<QbbOptions>();
        const auto text = [&t](const char* name, const char* help, auto member) {
            t.AddAttribute(name,
                           help,
                           StringValue(""),
                           MakeStringAccessor(member),
                           MakeStringChecker());
        };
        const auto time = [&t](const char* name, const char* help, auto member) {
            t.AddAttribute(name,
                           help,
                           TimeValue(Time(0)),
                           MakeTimeAccessor(member),
                           MakeTimeChecker(Time(0)));
        };
        // Every attribute has its own checker: ObjectFactory tells attributes apart by it.
        const auto number = [&t](const char* name, const char* help, auto member, auto checker) {
            t.AddAttribute(name, help, UintegerValue(0), MakeUintegerAccessor(member), checker);
        };
        const auto size = [] { return MakeUintegerChecker<uint64_t>(); };
        text("CongestionControl", "Scheme: hpcc, dcqcn, ...", &QbbOptions::m_congestionControl);
        text("Parameters", "Of the scheme: name=value,name=value", &QbbOptions::m_parameters);
        text("FlowControl", "Of links: pfc, credits, none", &QbbOptions::m_flowControl);
        text("LossyClasses",
             "Traffic classes that switches drop instead of pausing them: 1,2",
             &QbbOptions::m_lossy);
        text("Recovery",
             "After a loss: go-back-n, go-back-0, selective",
             &QbbOptions::m_recovery);
        number("Seed", "Of all random numbers", &QbbOptions::m_seed, size());
        number("Mtu",
               "Payload of a full packet, bytes",
               &QbbOptions::m_mtu,
               MakeUintegerChecker<uint32_t>());
        number("Buffer", "Memory of a switch, bytes", &QbbOptions::m_buffer, size());
        text("EcnMark", "When packets are marked: dequeue, enqueue, off", &QbbOptions::m_ecnMark);
        number("EcnMin", "Queue up to which none is marked, bytes", &QbbOptions::m_ecnMin, size());
        number("EcnMax",
               "Queue above which all are marked, bytes: replaces all thresholds of the scenario; "
               "0: they are the scenario's",
               &QbbOptions::m_ecnMax,
               size());
        t.AddAttribute("EcnProbability",
                       "Probability of a mark at EcnMax",
                       DoubleValue(ECN_PROBABILITY),
                       MakeDoubleAccessor(&QbbOptions::m_ecnProbability),
                       MakeDoubleChecker<double>(0, 1));
        t.AddAttribute("EcnRate",
                       "Rate of the links that have these thresholds; others have them in "
                       "proportion to their rate",
                       DataRateValue(DataRate(ECN_RATE)),
                       MakeDataRateAccessor(&QbbOptions::m_ecnRate),
                       MakeDataRateChecker());
        time("HostDelay", "From a data packet to its answer", &QbbOptions::m_hostDelay);
        time("RetransmissionTimeout",
             "Time without progress until a flow sends again",
             &QbbOptions::m_timeout);
        return t;
    }();
    return tid;
}

void
QbbOptions::Apply(qbb_scenario scenario) const
{
    Set(scenario, "cc", m_congestionControl);
    ApplyParameters(scenario);
    Set(scenario, "flow_control", m_flowControl);
    Set(scenario, "lossy", m_lossy);
    Set(scenario, "host.recovery", m_recovery);
    Set(scenario, "seed", Text(m_seed, ""));
    Set(scenario, "mtu", Text(m_mtu, "B"));
    Set(scenario, "buffer", Text(m_buffer, "B"));
    Set(scenario, "ecn.mark", m_ecnMark);
    ApplyThresholds(scenario);
    Set(scenario, "host.delay", Text(m_hostDelay));
    Set(scenario, "options.rto", Text(m_timeout));
}

void
QbbOptions::ApplyParameters(qbb_scenario scenario) const
{
    // The comma shows getline an empty last item too.
    std::istringstream list(m_parameters.empty() ? "" : m_parameters + ",");
    for (std::string item; std::getline(list, item, ',');)
    {
        const auto equals = item.find('=');
        NS_ABORT_MSG_IF(equals == std::string::npos,
                        "QbbOptions::Parameters: \"" << item << "\" is not name=value");
        Set(scenario, "cc.params." + item.substr(0, equals), item.substr(equals + 1));
    }
}

void
QbbOptions::ApplyThresholds(qbb_scenario scenario) const
{
    if (m_ecnMax == 0)
    {
        NS_ABORT_MSG_IF(m_ecnMin != 0 || m_ecnProbability != ECN_PROBABILITY ||
                            m_ecnRate != DataRate(ECN_RATE),
                        "QbbOptions: EcnMin, EcnProbability and EcnRate need EcnMax");
        return;
    }
    std::ostringstream item;
    item << "[{rate: " << m_ecnRate.GetBitRate() << "bps, kmin: " << m_ecnMin
         << "B, kmax: " << m_ecnMax << "B, pmax: " << m_ecnProbability << "}]";
    Set(scenario, "ecn.thresholds", item.str());
    Set(scenario, "ecn.scale", "true");
}

} // namespace ns3
