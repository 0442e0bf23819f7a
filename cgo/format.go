//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import "github.com/qbb-sim/qbb/core"

//export qbb_int_full
func qbb_int_full(maxHops C.int32_t, out *C.qbb_int_format) (code C.int) {
	defer guard(&code)
	if out == nil {
		return report(null("format"))
	}
	if f := inRange(limits{"max_hops", int64(maxHops), 1, C.QBB_MAX_HOPS}); f != nil {
		return report(f)
	}
	writeFormat(out, core.FullINT(int(maxHops)))
	return 0
}

//export qbb_int_quantised
func qbb_int_quantised(multi C.int32_t, out *C.qbb_int_format) (code C.int) {
	defer guard(&code)
	if out == nil {
		return report(null("format"))
	}
	if f := inRange(limits{"multi", int64(multi), 1, 1 << 20}); f != nil {
		return report(f)
	}
	writeFormat(out, core.QuantisedINT(int(multi)))
	return 0
}

func writeFormat(out *C.qbb_int_format, f core.INTFormat) {
	*out = C.qbb_int_format{
		time_unit: C.int64_t(f.TimeUnit), tx_unit: C.int64_t(f.TxUnit), queue_unit: C.int64_t(f.QueueUnit),
		time_mask: C.uint64_t(f.TimeMask), tx_mask: C.uint64_t(f.TxMask), queue_mask: C.uint64_t(f.QueueMask),
		max_hops: C.int32_t(f.MaxHops),
	}
}

// formatOf checks and copies a format of telemetry records.
func formatOf(in *C.qbb_int_format) (core.INTFormat, *failure) {
	if *in == (C.qbb_int_format{}) {
		return core.FullINT(C.QBB_MAX_HOPS), nil
	}
	f := inRange(
		limits{"format.time_unit", int64(in.time_unit), 1, maxTime},
		limits{"format.tx_unit", int64(in.tx_unit), 1, maxBytes},
		limits{"format.queue_unit", int64(in.queue_unit), 1, maxBytes},
		limits{"format.max_hops", int64(in.max_hops), 1, C.QBB_MAX_HOPS},
	)
	return core.INTFormat{
		TimeUnit: core.Duration(in.time_unit), TxUnit: core.Bytes(in.tx_unit), QueueUnit: core.Bytes(in.queue_unit),
		TimeMask: uint64(in.time_mask), TxMask: uint64(in.tx_mask), QueueMask: uint64(in.queue_mask),
		MaxHops: int(in.max_hops),
	}, f
}
