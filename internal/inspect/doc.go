// Package inspect looks into files of packets: captures, and event traces in both forms.
//
//	Each     a file as a sequence of sightings
//	   |     a filter chooses (traces/filter)
//	Line     one sighting as a line of text
//	Packet   one packet from port to port, and its acknowledgement
//	Hops     a flow's packets, port by port
//	Life     a flow's life on a screen
package inspect
