//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
// void qbb_set_error(const char *text, size_t n);
import "C"

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// failure is why a call was refused.
type failure struct {
	code C.int
	text string
}

func failf(code C.int, format string, args ...any) *failure {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// report keeps the text for the thread and returns the code; nil is success.
func report(f *failure) C.int {
	if f == nil {
		return 0
	}
	C.qbb_set_error((*C.char)(unsafe.Pointer(unsafe.StringData(f.text))), C.size_t(len(f.text)))
	return f.code
}

// guard, deferred in every call that returns a code, turns a panic into a failure.
func guard(code *C.int) {
	if r := recover(); r != nil {
		*code = report(failf(C.QBB_E_INTERNAL, "a bug of the library: %s", firstLine(fmt.Sprint(r))))
	}
}

// firstLine returns the first line of a text, as the text of a failure is one.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// opened is set by qbb_open.
var opened atomic.Bool

// needOpen refuses to make anything before the versions have been compared.
func needOpen() *failure {
	if !opened.Load() {
		return failf(C.QBB_E_VERSION, "qbb_open(QBB_ABI_VERSION) has not been called")
	}
	return nil
}

// keep gives a new object its handle.
func keep(object any, handle *C.uint64_t) *failure {
	h := objects.add(object)
	if h == 0 {
		return failf(C.QBB_E_FULL, "too many handles: free some")
	}
	*handle = C.uint64_t(h)
	return nil
}

// lookup returns the object of a handle.
func lookup[T any](handle C.uint64_t, what string) (*T, *failure) {
	if o, ok := objects.find(uint64(handle)).(*T); ok {
		return o, nil
	}
	return nil, failf(C.QBB_E_HANDLE, "%#x is no %s: never made, freed, or something else", uint64(handle), what)
}

func null(what string) *failure { return failf(C.QBB_E_NULL, "%s is NULL", what) }

// checkSize compares the size of a struct as the caller knows it with ours.
func checkSize(what string, got C.uint32_t, want C.size_t) *failure {
	if C.size_t(got) != want {
		return failf(C.QBB_E_VERSION, "%s.size is %d, not %d: set it to sizeof(%s), and build against this library's qbb.h", what, got, want, what)
	}
	return nil
}

// limits is a number and what it may be.
type limits struct {
	name          string
	value         int64
	least, utmost int64
}

// inRange reports the first number that is out of its range.
func inRange(list ...limits) *failure {
	for i := range list {
		if l := &list[i]; l.value < l.least || l.value > l.utmost {
			return failf(C.QBB_E_RANGE, "%s is %d; it must be %d to %d", l.name, l.value, l.least, l.utmost)
		}
	}
	return nil
}

// Upper bounds of what is accepted: none that a network comes near, all far from overflow.
const (
	maxTime  = C.QBB_TIME_MAX
	maxRate  = int64(topo.MaxRate)
	maxBytes = int64(1) << 50
	maxFrame = int64(1) << 20
	maxNodes = int64(1) << 24
	maxPorts = int64(topo.MaxPorts)
)

// instant checks a time and when its event was scheduled.
func instant(now, born C.int64_t, last core.Time) (core.Instant, *failure) {
	at := core.Instant{Now: core.Time(now), Born: core.Time(born)}
	switch {
	case now < 0 || now > maxTime:
		return at, failf(C.QBB_E_RANGE, "now is %d; it must be 0 to %d", now, int64(maxTime))
	case born != C.QBB_NEVER && (born < 0 || born > now):
		return at, failf(C.QBB_E_RANGE, "born is %d; it must be 0 to now, which is %d, or QBB_NEVER", born, now)
	case at.Now < last:
		return at, failf(C.QBB_E_TIME, "now is %d, before %d of an earlier call", now, last)
	}
	return at, nil
}

// abiVersion is the version of the interface.
const abiVersion = C.QBB_ABI_VERSION

//export qbb_open
func qbb_open(abi C.uint32_t) (code C.int) {
	defer guard(&code)
	if abi != abiVersion {
		return report(failf(C.QBB_E_VERSION, "this library has interface version %d, the program was built for %d: build it against this library's qbb.h",
			int(abiVersion), abi))
	}
	opened.Store(true)
	return 0
}

//export qbb_live
func qbb_live() C.int64_t { return C.int64_t(objects.count()) }
