/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "qbb-call.h"

#include "ns3/fatal-error.h"
#include "ns3/simulator.h"

#include <cstdlib>
#include <iostream>

namespace ns3
{

int
QbbCheck(int code, const char* more)
{
    switch (code)
    {
    case QBB_E_NAME:
    case QBB_E_PARAM:
    case QBB_E_SCENARIO:
    case QBB_E_FILE: // mistakes of the user's
        std::cerr << qbb_last_error() << more << std::endl;
        std::exit(2);
    }
    if (code < 0)
    {
        NS_FATAL_ERROR("qbb: " << qbb_last_error() << more);
    }
    return code;
}

int64_t
QbbNow()
{
    return Simulator::Now().GetPicoSeconds();
}

Time
QbbUntil(int64_t at)
{
    const Time when = PicoSeconds(at);
    if (when.GetPicoSeconds() != at)
    {
        NS_FATAL_ERROR("qbb: there is no tick of the clock at "
                       << at << " ps: call Time::SetResolution(Time::PS) before anything else");
    }
    return when - Simulator::Now();
}

} // namespace ns3
