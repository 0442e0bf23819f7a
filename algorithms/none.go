package algorithms

import (
	"math"
	"reflect"

	"github.com/qbb-sim/qbb/core"
)

// None is 0 as the value of a parameter whose zero value means something else, such as the
// additive increase: see [Params].
const None = math.MinInt64

// auto is how the zero value of such a parameter is written.
const auto = "auto"

// ValueOr returns what a parameter that may be [None] means, where its zero value means derived.
func ValueOr[T core.Rate | core.Bytes | float64](value, derived T) T {
	switch value {
	case 0:
		return derived
	case None:
		return 0
	}
	return value
}

// hasNone reports whether a parameter, a rate or bytes, may be None.
func hasNone(f reflect.StructField) bool { return f.Tag.Get("none") != "" }

func setOrNone(v reflect.Value, f reflect.StructField, s string) error {
	if s == auto {
		v.SetZero()
		return nil
	}
	err := setValue(v, f, s)
	if err == nil && v.IsZero() {
		v.SetInt(None)
	}
	return err
}
