//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
)

// scheme is a configured scheme. It does not change.
type scheme struct {
	algorithms.Scheme
	traits algorithms.Traits
}

// names are the names of the catalog as C texts, made once for the life of the process.
var names = sync.OnceValue(func() []*C.char {
	var list []*C.char
	for _, e := range catalog.All() {
		list = append(list, C.CString(e.Name))
	}
	return list
})

//export qbb_scheme_name
func qbb_scheme_name(i C.uint32_t) *C.char {
	if list := names(); uint64(i) < uint64(len(list)) {
		return list[i]
	}
	return nil
}

//export qbb_scheme_new
func qbb_scheme_new(name, params *C.char, out *C.qbb_scheme) (code C.int) {
	defer guard(&code)
	switch {
	case name == nil:
		return report(null("name"))
	case out == nil:
		return report(null("scheme"))
	}
	if f := needOpen(); f != nil {
		return report(f)
	}
	s, f := newScheme(C.GoString(name), C.GoString(params))
	if f != nil {
		return report(f)
	}
	return report(keep(s, (*C.uint64_t)(out)))
}

func newScheme(name, params string) (*scheme, *failure) {
	if _, ok := catalog.Find(name); !ok {
		_, err := catalog.New(name, nil)
		return nil, failf(C.QBB_E_NAME, "%v", err)
	}
	values, err := parseParams(params)
	if err != nil {
		return nil, failf(C.QBB_E_PARAM, "%v", err)
	}
	made, err := catalog.New(name, values)
	if err != nil {
		return nil, failf(C.QBB_E_PARAM, "%v", err)
	}
	return &scheme{made, made.Traits()}, nil
}

//export qbb_scheme_traits
func qbb_scheme_traits(handle C.qbb_scheme, out *C.qbb_traits) (code C.int) {
	defer guard(&code)
	s, f := lookup[scheme](C.uint64_t(handle), "scheme")
	if f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("traits"))
	}
	t := &s.traits
	*out = C.qbb_traits{
		hears: C.uint32_t(t.Hears), needs: C.uint32_t(t.Needs),
		lazy_timers: truth(t.LazyTimers), notify_is_echo: truth(t.NotifyIsEcho),
		header_bytes: C.int32_t(t.HeaderBytes), hop_bytes: C.int32_t(t.HopBytes),
		has_receiver: truth(s.NewReceiver() != nil), has_marker: truth(s.NewMarker() != nil),
	}
	name := unsafe.Slice((*byte)(unsafe.Pointer(&out.name)), len(out.name))
	copy(name[:len(name)-1], t.Name)
	return 0
}

func truth(b bool) C.int32_t {
	if b {
		return 1
	}
	return 0
}

//export qbb_scheme_free
func qbb_scheme_free(handle C.qbb_scheme) (code C.int) {
	defer guard(&code)
	return report(release[scheme](C.uint64_t(handle), "scheme"))
}

// release makes the handle of an object of type T invalid.
func release[T any](handle C.uint64_t, what string) *failure {
	_, f := lookup[T](handle, what)
	if f == nil && !objects.remove(uint64(handle)) {
		f = failf(C.QBB_E_HANDLE, "%#x is no %s: freed by another thread", uint64(handle), what)
	}
	return f
}
