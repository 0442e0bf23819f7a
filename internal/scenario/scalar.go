package scenario

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// unitNames describe the types that are written as a number with a unit.
var unitNames = map[reflect.Type]string{
	reflect.TypeFor[core.Time]():     "time",
	reflect.TypeFor[core.Duration](): "time",
	reflect.TypeFor[core.Rate]():     "rate",
	reflect.TypeFor[core.Bytes]():    "size",
	reflect.TypeFor[sim.Timeout]():   "time or auto",
}

// choiceNames are the names of the values of the types that are a choice.
var choiceNames = map[reflect.Type][]string{
	reflect.TypeFor[engine.Order]():      {engine.BySchedule: "schedule", engine.ByEntity: "entity"},
	reflect.TypeFor[core.Timing]():       {core.Exact: "exact", core.FixedPointNanos: "ns3"},
	reflect.TypeFor[topo.Order]():        {topo.AscendingID: "ascending", topo.DescendingID: "descending"},
	reflect.TypeFor[nic.Recovery]():      recoveryNames,
	reflect.TypeFor[nic.Entropy]():       entropyNames,
	reflect.TypeFor[switching.Balance](): balanceNames,
	reflect.TypeFor[switching.Sharing](): sharingNames,
}

// Names of choices, by value.
var (
	recoveryNames = []string{nic.GoBackN: "go-back-n", nic.GoBack0: "go-back-0", nic.Selective: "selective"}
	entropyNames  = []string{nic.OfFlow: "flow", nic.Sprayed: "random", nic.Recycled: "reps", nic.Protective: "plb"}
	balanceNames  = []string{
		switching.ECMP: "ecmp", switching.Spray: "spray", switching.Flowlets: "flowlet", switching.DRILL: "drill",
		switching.Adaptive: "adaptive", switching.CONGA: "conga", switching.ConWeave: "conweave",
	}
	sharingNames = []string{switching.Dynamic: "dynamic", switching.Complete: "complete", switching.ABM: "abm"}
)

// Choices of keys that are texts.
var (
	flowControls = []string{"pfc", "credits", "none"}
	ecnMarks     = []string{"dequeue", "enqueue", "off"}
)

// Choices returns the names that a key takes; none if other values are possible too.
func Choices(key string) []string {
	switch key {
	case "profile":
		return profileNames()
	case "flow_control":
		return flowControls
	case "ecn.mark":
		return ecnMarks
	}
	if field, ok := keyOf(reflect.ValueOf(new(Scenario)).Elem(), key); ok {
		return choiceNames[field.Type()]
	}
	return nil
}

// oneOf lists names as a sentence does.
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map:
		return false
	}
	return true
}

// setScalar sets v to what a text says.
func setScalar(v reflect.Value, text string) error {
	if names, ok := choiceNames[v.Type()]; ok {
		return choose(v, text, names)
	}
	switch p := v.Addr().Interface().(type) {
	case *core.Time:
		return setTime(p, text)
	case *core.Duration:
		return assign(p, text, core.ParseDuration)
	case *core.Rate:
		return assign(p, text, core.ParseRate)
	case *core.Bytes:
		return assign(p, text, core.ParseBytes)
	case *sim.Timeout:
		t, err := sim.ParseTimeout(text)
		if err == nil {
			*p = t
		}
		return err
	case *string:
		*p = text
		return nil
	case *bool:
		return setBool(p, text)
	case *float64:
		number, percent := strings.CutSuffix(text, "%")
		x, err := core.ParseFloat(number)
		if percent {
			x /= 100
		}
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return fmt.Errorf("%q is not a number of at least 0", text)
		}
		*p = x
		return nil
	}
	return setInteger(v, text)
}

// assign sets *p to a quantity, which must not be negative.
func assign[T ~int64](p *T, text string, parse func(string) (T, error)) error {
	x, err := parse(text)
	if err == nil && x < 0 {
		err = fmt.Errorf("%q is negative", text)
	}
	if err == nil {
		*p = x
	}
	return err
}

func setTime(p *core.Time, text string) error {
	if text == core.Never.String() {
		*p = core.Never
		return nil
	}
	var d core.Duration
	err := assign(&d, text, core.ParseDuration)
	if err == nil {
		*p = core.Time(d)
	}
	return err
}

func setBool(p *bool, text string) error {
	switch text {
	case "true", "on", "yes":
		*p = true
	case "false", "off", "no":
		*p = false
	default:
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

// choose sets v to the choice of a name.
func choose(v reflect.Value, text string, names []string) error {
	i := slices.Index(names, text)
	if i < 0 {
		return fmt.Errorf("%q is not known: use %s", text, oneOf(names))
	}
	v.SetUint(uint64(i))
	return nil
}

func setInteger(v reflect.Value, text string) error {
	if v.CanUint() {
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a whole number from 0 to %d", text, uint64(math.MaxUint64)>>(64-v.Type().Bits()))
		}
		v.SetUint(n)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, v.Type().Bits())
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a whole number from 0 to %d", text, uint64(math.MaxInt64)>>(64-v.Type().Bits()))
	}
	v.SetInt(n)
	return nil
}

// formatScalar writes v so that setScalar gives it back.
func formatScalar(v reflect.Value) string {
	if names, ok := choiceNames[v.Type()]; ok {
		return names[v.Uint()]
	}
	if v.Kind() == reflect.Float64 {
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}
