//go:build cgo

package main

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
)

// TestPacketsCrossWhole requires that a packet comes back from C unchanged in every field, except
// those that belong to its present owner.
func TestPacketsCrossWhole(t *testing.T) {
	own := map[string]bool{"Flight": true, "Landing": true, "next": true, "InPort": true, "INT": true, "Fabric": true} // Fabric: see TestCONGAIsNotHosted
	n := &network{pool: core.NewPool(3), format: core.FullINT(3)}
	sent := n.pool.New()
	fillFields(sent, own)
	n.pool.AddINT(sent)
	sent.NHops = 2
	for i := range sent.INT {
		fillFields(&sent.INT[i], nil)
	}
	sent.INT[2] = core.Hop{}
	want, records := *sent, append([]core.Hop(nil), sent.INT...)
	n.give(parcel, sent) // the pool gets it back
	got := n.take(parcel)
	for i := range reflect.TypeFor[core.Packet]().NumField() {
		f := reflect.TypeFor[core.Packet]().Field(i)
		if own[f.Name] {
			continue
		}
		a, b := reflect.ValueOf(got).Elem().Field(i), reflect.ValueOf(&want).Elem().Field(i)
		if !a.Equal(b) || b.IsZero() {
			t.Errorf("%s comes back as %v, want %v, which must not be 0", f.Name, a, b)
		}
	}
	if !reflect.DeepEqual(got.INT[:2], records[:2]) {
		t.Errorf("records come back as %+v, want %+v", got.INT, records)
	}
}

// fillFields gives every number of a struct its own value, except those that are left out.
func fillFields[T any](to *T, out map[string]bool) {
	v := reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; out[name] || name == "_" {
			continue
		}
		f := reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
		if f.CanInt() {
			f.SetInt(int64(i + 1))
		} else {
			f.SetUint(uint64(i + 1))
		}
	}
}
