/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QBB_CALL_H
#define QBB_CALL_H

#include "ns3/nstime.h"
#include <qbb.h>

#include <cstdint>

namespace ns3
{

/**
 * \ingroup qbb
 * \brief Ends the program with the library's own words if a call has failed: a mistake in a
 * scenario or a file with one line and exit code 2, anything else as NS_FATAL_ERROR does.
 *
 * \param code what the call returned
 * \param more what to add to these words
 * \return the code, if it is no error
 */
int QbbCheck(int code, const char* more = "");

/**
 * \ingroup qbb
 * \return the simulation time as the library counts it, in picoseconds
 */
int64_t QbbNow();

/**
 * \ingroup qbb
 * \brief Returns how long it is until a time of the library.
 *
 * Ends the program if the resolution of Time is too coarse for that: see Time::SetResolution.
 *
 * \param at the time, in picoseconds, not before now
 * \return the delay from now
 */
Time QbbUntil(int64_t at);

} // namespace ns3

#endif /* QBB_CALL_H */
