// Package none is the absence of congestion control: every flow sends at the line rate of
// its NIC and only priority flow control (IEEE 802.1Qbb) holds it back. It is the baseline
// for the other schemes.
package none
