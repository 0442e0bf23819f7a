package algorithms

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// ParamError says which parameter a scheme does not take, and what it must be.
type ParamError struct {
	Scheme, Param string
	Value         string // as text; that of a text in quotes
	Want          string // such as "it must be above 0"
}

// Error names the scheme, the parameter and its value, and says what it must be.
func (e *ParamError) Error() string {
	return fmt.Sprintf("%s: %s is %s; %s", e.Scheme, e.Param, e.Value, e.Want)
}

// WrongParam returns a [ParamError] about the parameter of that name, for what no range can say;
// want says what it must be, with its arguments as [fmt.Sprintf] takes them.
func WrongParam(scheme, name string, value any, want string, args ...any) error {
	text := fmt.Sprint(value)
	if s, ok := value.(string); ok {
		text = fmt.Sprintf("%q", s)
	}
	return &ParamError{scheme, name, text, fmt.Sprintf(want, args...)}
}

// CheckParams reports the first field of the params struct that p points to whose value is
// outside its range or is none of its choices (see [Params]), as a [ParamError]. NaN is outside
// every range.
func CheckParams(scheme string, p any) error {
	for f, v := range fields(p) {
		if choices := choicesOf(f); choices != nil && !slices.Contains(choices, v.String()) {
			return WrongParam(scheme, f.Tag.Get("qbb"), v.String(), "it must be one of %s", strings.Join(choices, ", "))
		}
		if !isNumber(v) {
			continue
		}
		if r := rangeOf(f); !r.holds(number(v)) {
			return WrongParam(scheme, f.Tag.Get("qbb"), v.Interface(), "it must be %s", r)
		}
	}
	return nil
}

// choicesOf returns the texts that a parameter may be; nil: any, or it is no text.
func choicesOf(f reflect.StructField) []string {
	if c := f.Tag.Get("choice"); c != "" {
		return strings.Split(c, "|")
	}
	return nil
}

func isNumber(v reflect.Value) bool { return v.CanInt() || v.CanFloat() }

// number is the value of a number, exact below 2^53 in magnitude.
func number(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

// interval is the range of a parameter.
type interval struct {
	low, high end
	orZero    bool // 0 is taken too: it stands for something else
	orNone    bool // None is taken too
}

// end of an interval.
type end struct {
	text string // empty: there is none
	at   float64
	open bool // the end itself is outside
}

// notNegative is the range of a number that names none.
const notNegative = "[0,)"

// mostRate ends the range of a rate that names no end: that of the fastest links, so that sums and
// multiples of rates fit 64 bits.
const mostRate = "1000Tbps"

// rangeOf reads the range of a field that is a number, or completes it.
func rangeOf(f reflect.StructField) interval {
	text := cmp.Or(f.Tag.Get("range"), notNegative)
	last := len(text) - 1
	low, high, ok := strings.Cut(text[1:last], ",")
	if !ok || low == "" || !strings.Contains("[(", text[:1]) || !strings.Contains("])", text[last:]) {
		panic(fmt.Sprintf("algorithms: parameter %s: %q is not a range", f.Tag.Get("qbb"), text))
	}
	if f.Type == reflect.TypeFor[core.Rate]() && high == "" {
		high = mostRate
		text = text[:last] + "]"
	}
	return interval{
		low:    endOf(f, low, text[0] == '('),
		high:   endOf(f, high, text[last] == ')'),
		orZero: f.Tag.Get("zero") != "",
		orNone: hasNone(f),
	}
}

func endOf(f reflect.StructField, text string, open bool) end {
	e := end{text: text, open: open}
	if text != "" {
		v := reflect.New(f.Type).Elem()
		if err := setValue(v, f, text); err != nil {
			panic(fmt.Sprintf("algorithms: range of parameter %s: %v", f.Tag.Get("qbb"), err))
		}
		e.at = number(v)
	}
	return e
}

// holds reports whether x is inside.
func (r interval) holds(x float64) bool {
	above := x > r.low.at || x == r.low.at && !r.low.open
	below := r.high.text == "" || x < r.high.at || x == r.high.at && !r.high.open
	return above && below || r.orZero && x == 0 || r.orNone && x == None
}

// full is String, and what 0 means, if anything special.
func (r interval) full(zero string) string {
	if zero == "" || r.orNone {
		return r.String()
	}
	r.orZero = false
	return r.String() + ", 0 for " + zero
}

// String says what a number must be.
func (r interval) String() string {
	if r.orNone {
		r.orZero, r.orNone = false, false
		return r.String() + ", or " + auto
	}
	var text string
	switch low, high := r.low, r.high; {
	case high.text == "" && low.at == 0 && !low.open:
		return low.text + " or more"
	case high.text != "" && !low.open && !high.open:
		text = low.text + " to " + high.text
	default:
		text = "at least " + low.text
		if low.open {
			text = "above " + low.text
		}
		switch {
		case high.text != "" && high.open:
			text += " and below " + high.text
		case high.text != "":
			text += " and at most " + high.text
		}
	}
	if r.orZero && (r.low.at > 0 || r.low.open) {
		text = "0, or " + text
	}
	return text
}
