// Package twin holds profile ns3 to a second implementation of the reference simulator's rules, which
// its tests contain: small and slow, with an event for everything, nothing merged, skipped or
// evaluated late, and no code of the devices, the schemes or the engine. Random cases, with what the
// baselines lack, such as mixed rates and delays, several classes, hosts with several ports, payloads that
// are not 1000 bytes, buffers that overflow, losses and failures under every scheme, must give the
// same fct.txt, pfc.txt and qlen.txt to the byte, and the same mix.tr except for what PFC frames hold. So must
// rare ones: delays of many milliseconds, a lowest rate above the line, very many flows between one pair of
// hosts, none at all, two hosts without a switch, spines and leaves with up to seven equal paths, three tiers,
// timers that tick together, links that fail as flows start, packets of one byte, and keys at the ends of
// their ranges. Files with the same meaning but a different spelling must give the same results.
// Shared with what is tested are the readers of files, the random sequences, ECMP's hash and the conversion
// of seconds, which have tests with known values.
//
// The reference's rules do not say what becomes of a packet or flow that has no route left, of a resume frame for the
// port by which the packet that causes it leaves, of HPCC-PINT where no round trip takes a nanosecond, and of a flow
// that is chosen to send and removed in one turn, because it ended before everything that it went back to was
// sent. There the twin stops, and what the files hold until then is compared.
package twin
