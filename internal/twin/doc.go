// Package twin holds profile ns3 to a second implementation of the reference simulator's rules, which
// its tests contain: small and slow, with an event for everything, nothing merged, skipped or
// evaluated late, and no code of the devices, the schemes or the engine. Random cases, with what the
// baselines lack, such as mixed rates and delays, several classes, hosts with two ports, payloads that
// are not 1000 bytes, buffers that overflow, losses and failures under every scheme, must give the
// same fct.txt, pfc.txt and qlen.txt to the byte. Shared with what is tested are the readers of files,
// the random sequences, ECMP's hash and the conversion of seconds, which have tests with known values.
package twin
