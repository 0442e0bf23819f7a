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

// scalarNames describe the types that are written as one word but are not Go's own.
var scalarNames = map[reflect.Type]string{
	reflect.TypeFor[core.Time]():         "time",
	reflect.TypeFor[core.Duration]():     "time",
	reflect.TypeFor[core.Rate]():         "rate",
	reflect.TypeFor[core.Bytes]():        "size",
	reflect.TypeFor[engine.Order]():      oneOf(orderNames),
	reflect.TypeFor[core.Timing]():       oneOf(timingNames),
	reflect.TypeFor[topo.Order]():        oneOf(ecmpNames),
	reflect.TypeFor[sim.Timeout]():       "time or auto",
	reflect.TypeFor[nic.Recovery]():      oneOf(recoveryNames),
	reflect.TypeFor[switching.Balance](): oneOf(balanceNames),
}

// Names of choices, by value.
var (
	orderNames  = []string{engine.BySchedule: "schedule", engine.ByEntity: "entity"}
	timingNames = []string{core.Exact: "exact", core.FixedPointNanos: "ns3"}
	ecmpNames   = []string{topo.AscendingID: "ascending", topo.DescendingID: "descending"}

	balanceNames = []string{
		switching.ECMP: "ecmp", switching.Spray: "spray", switching.Flowlets: "flowlet", switching.DRILL: "drill",
		switching.Adaptive: "adaptive",
	}
	recoveryNames = []string{nic.GoBackN: "go-back-n", nic.GoBack0: "go-back-0", nic.Selective: "selective"}
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
	case "host.recovery":
		return recoveryNames
	case "switch.load_balance":
		return balanceNames
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
	switch p := v.Addr().Interface().(type) {
	case *core.Time:
		return setTime(p, text)
	case *core.Duration:
		return assign(p, text, core.ParseDuration)
	case *core.Rate:
		return assign(p, text, core.ParseRate)
	case *core.Bytes:
		return assign(p, text, core.ParseBytes)
	case *engine.Order:
		return choose(p, text, orderNames)
	case *core.Timing:
		return choose(p, text, timingNames)
	case *topo.Order:
		return choose(p, text, ecmpNames)
	case *sim.Timeout:
		t, err := sim.ParseTimeout(text)
		if err == nil {
			*p = t
		}
		return err
	case *nic.Recovery:
		return choose(p, text, recoveryNames)
	case *switching.Balance:
		return choose(p, text, balanceNames)
	case *string:
		*p = text
		return nil
	case *bool:
		return setBool(p, text)
	case *float64:
		number, percent := strings.CutSuffix(text, "%")
		x, err := strconv.ParseFloat(number, 64)
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

func choose[T ~uint8](p *T, text string, names []string) error {
	i := slices.Index(names, text)
	if i < 0 {
		return fmt.Errorf("%q is not known: use %s", text, oneOf(names))
	}
	*p = T(i)
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
	switch x := v.Interface().(type) {
	case engine.Order:
		return orderNames[x]
	case core.Timing:
		return timingNames[x]
	case topo.Order:
		return ecmpNames[x]
	case nic.Recovery:
		return recoveryNames[x]
	case switching.Balance:
		return balanceNames[x]
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	default:
		return fmt.Sprint(x)
	}
}
