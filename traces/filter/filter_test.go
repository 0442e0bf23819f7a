package filter

import (
	"errors"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// example is a marked data packet, sent again, as it joins the queue of a switch.
var example = traces.Sighting{Flow: 7, Record: core.Record{
	At: core.Time(2500 * core.Nanosecond), Node: 16, Port: 3, Queue: 3, Event: core.EventEnqueue, Depth: 2000,
	Packet: core.Packet{
		Kind: core.Data, Src: 1, Dst: 9, SrcPort: 10000, DstPort: 100, Seq: 64000, Size: 1062, Payload: 1000, Prio: 3,
		Flags: core.CE | core.Rtx,
	},
}}

func pfc(quanta uint16) *traces.Sighting {
	return &traces.Sighting{Flow: traces.NoFlow, Record: core.Record{
		Packet: core.Packet{Kind: core.Pause, Aux: uint64(core.NewPause(3, quanta, false))},
	}}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"", true},
		{"  ", true},
		{"node==16 && time>2us && kind==data", true},
		{"node==5 && time>2us && kind==pfc", false},
		{"time==2500ns", true},
		{"2us<time && 2500ns>=time && !(2500ns>time)", true},
		{"time<2500ns || time<=2.5us", true},
		{"time>2500ns || size>1062 || 1062>size", false},
		{"node\t==\r\n16", true},
		{"time!=0", true},
		{"flow==7&&src==1&&dst==9&&sport==10000&&dport==100&&port==3&&prio==3", true},
		{"size==1062 && payload==1KB && seq>=64KB && depth<1MiB && depth!=0", true},
		{"ce && rtx && !ece && !last", true},
		{"!!ce", true},
		{strings.Repeat("!", 100) + "ce", true},
		{"event==enqueue && event!=send", true},
		{"kind!=pfc", true},
		{"node==dst || src<dst", true},
		{"node==dst", false},
		{"size>payload && kind==kind", true},
		// && binds closer than ||.
		{"ce || ce && ece", true},
		{"(ce || ce) && ece", false},
		{"!ce || ce", true},
	} {
		e, err := Parse(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := e.Match(&example); got != test.want {
			t.Errorf("%q: %v, want %v", test.text, got, test.want)
		}
	}
}

// Every comparison, in either order, of what is less, equal and greater; and every way to join what is true and false.
func TestTruth(t *testing.T) {
	holds := func(text string) bool {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return e.Match(&example)
	}
	for op, want := range map[string][3]bool{
		"<": {false, false, true}, "<=": {false, true, true}, "==": {false, true, false},
		"!=": {true, false, true}, ">=": {true, true, false}, ">": {true, false, false},
	} {
		for i, value := range []string{"15", "16", "17"} { // the node is 16
			if text := "node" + op + value; holds(text) != want[i] {
				t.Errorf("%s: want %v", text, want[i])
			}
			if text := value + op + "node"; holds(text) != want[2-i] {
				t.Errorf("%s: want %v", text, want[2-i])
			}
		}
	}
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			text := map[bool]string{false: "ece", true: "ce"}
			if and := text[a] + " && " + text[b]; holds(and) != (a && b) {
				t.Errorf("%s: want %v", and, a && b)
			}
			if or := text[a] + " || " + text[b]; holds(or) != (a || b) {
				t.Errorf("%s: want %v", or, a || b)
			}
		}
	}
}

// A PFC frame is a pause or a resume.
func TestMatchPFC(t *testing.T) {
	for text, want := range map[string][2]bool{
		"kind==pfc": {true, true}, "kind==pause": {true, false}, "kind==resume": {false, true},
		"kind!=pause": {false, true}, "flow==-1": {true, true},
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{e.Match(pfc(100)), e.Match(pfc(0))}; got != want {
			t.Errorf("%s: pause, resume: %v, want %v", text, got, want)
		}
	}
}

// A word stands for exactly the kinds or events that it names.
func TestWords(t *testing.T) {
	kinds := map[core.Kind]string{
		core.Data: "data", core.Ack: "ack", core.Nack: "nack", core.CNP: "cnp", core.CNM: "cnm", core.Grant: "grant", core.Credit: "credit", core.Datagram: "datagram",
		core.ConWeave: "conweave",
	}
	for kind, name := range kinds {
		s := &traces.Sighting{Record: core.Record{Packet: core.Packet{Kind: kind}}}
		checkWords(t, "kind", kindWords, name, s)
	}
	for event, name := range map[core.Event]string{core.EventRecv: "recv", core.EventEnqueue: "enqueue", core.EventDequeue: "send", core.EventDrop: "drop"} {
		checkWords(t, "event", eventWords, name, &traces.Sighting{Record: core.Record{Event: event}})
	}
}

// checkWords requires that exactly one word of a field is true of a packet.
func checkWords(t *testing.T, field string, words []word, want string, s *traces.Sighting) {
	t.Helper()
	for _, w := range words {
		e, err := Parse(field + "==" + w.name)
		if err != nil || e.Match(s) != (w.name == want) {
			t.Errorf("of %s, %s==%s is %v (%v)", want, field, w.name, e.Match(s), err)
		}
	}
}

// Errors name the offending text and its column.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"node==5 && tim>2us":                   `column 12, "tim": not a field: did you mean time? fields: time, node,`,
		"time>2":                               `column 6, "2": time needs a time with a unit, such as 2us`,
		"node==five":                           `column 7, "five": node needs a whole number`,
		"seq>2lb":                              `column 5, "2lb": seq needs a whole number of bytes`,
		"seq>1.5":                              `column 5, "1.5": seq needs a whole number of bytes`,
		"kind==dta":                            `column 7, "dta": no kind: did you mean data? there are: data, ack,`,
		"kind<data":                            `column 5, "<": kind is compared by == and != only`,
		"node=5":                               `column 5, "=": this has no meaning here; write == for equal`,
		"ce & ece":                             `column 4, "&": this has no meaning here; write && for and`,
		"ce | ece":                             `column 4, "|": this has no meaning here; write || for or`,
		"node==5 $":                            `column 9, "$": this has no meaning here; see qbb help expressions`,
		"time>2µs":                             `column 7, "µ": this has no meaning here; see qbb help expressions`,
		"node==5 \xff":                         `column 9, "\xff": this has no meaning here; see qbb help expressions`,
		"node==":                               `at its end: something is missing here`,
		"node==5 &&":                           `at its end: something is missing here`,
		"node":                                 `at its end: after node a comparison is expected, such as node==...`,
		"hello":                                `column 1, "hello": not a field`,
		"5==6":                                 `column 1, "5": not a field`,
		"(node==5":                             `column 1, "(": this parenthesis is not closed`,
		"node==5)":                             `column 8, ")": this does not belong here`,
		"node==5 port==1":                      `column 9, "port": this does not belong here: join comparisons with && or ||`,
		"== 5":                                 `column 1, "==": a field or a value is expected here`,
		"ce==1":                                `column 3, "==": ce is true or false: write ce or !ce`,
		"1==ce":                                `column 1, "1": ce is true or false: write ce or !ce`,
		"node==ce":                             `column 7, "ce": node and ce cannot be compared`,
		"node==kind":                           `column 7, "kind": node and kind cannot be compared`,
		"kind==event":                          `column 7, "event": kind and event cannot be compared`,
		"port==size":                           `column 7, "size": port and size cannot be compared`,
		"kind<kind":                            `column 5, "<": kind is compared by == and != only`,
		"KIND==data":                           `column 1, "KIND": not a field: did you mean kind?`,
		"time<size":                            `column 6, "size": time and size cannot be compared`,
		"AZ==1":                                `column 1, "AZ": not a field`,
		strings.Repeat("(", 200):               `too many levels of parentheses`,
		strings.Repeat("(", 101) + "x":         `column 102, "x": too many levels of parentheses`,
		strings.Repeat("(", 100) + "x":         `column 101, "x": not a field`,
		strings.Repeat("!", 101) + "ce":        `column 102, "ce": too many levels of parentheses`,
		strings.Repeat("ce && ", 100) + "oops": `column 601, "oops": not a field`,
	} {
		_, err := Parse(text)
		var mistake *SyntaxError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// An error is one line whose offset lies in the text; an accepted expression can be evaluated, and
// its negation is its opposite.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"node==5 && time>2us && kind==pfc", "!(ce||rtx)&&seq<=64KB", "((2us<time", "kind!=event", "==", "size==1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		var mistake *SyntaxError
		if errors.As(err, &mistake) {
			if line := err.Error(); strings.ContainsAny(line, "\n\r") || mistake.At < 0 || mistake.Len < 0 || mistake.At+mistake.Len > len(text) {
				t.Errorf("%q: %q", text, line)
			}
			return
		}
		if not, err := Parse("!(" + text + ")"); err == nil && not.Match(&example) == e.Match(&example) {
			t.Errorf("%q and its negation are both %v", text, e.Match(&example))
		}
	})
}

// The error for a long expression repeats its first 120 bytes.
func TestExcerpt(t *testing.T) {
	for n, want := range map[int]int{119: 119, 120: 120, 121: 120} {
		_, err := Parse(strings.Repeat("(", n))
		whole, _, _ := strings.Cut(err.Error(), ": ")
		if text := strings.TrimSuffix(whole, "..."); len(text) != want+len(`""`) || (text != whole) != (n > want) {
			t.Errorf("%d bytes: %s", n, whole)
		}
	}
}

// A letter on which an excerpt would end stays whole.
func TestExcerptOfLetters(t *testing.T) {
	for blanks := 117; blanks <= 120; blanks++ {
		_, err := Parse(strings.Repeat(" ", blanks) + "€ ==1")
		if err == nil || strings.Contains(err.Error(), `\x`) {
			t.Errorf("%d blanks: %v", blanks, err)
		}
	}
}

// Every flag is its own.
func TestFlags(t *testing.T) {
	for text, flag := range map[string]core.Flags{"ce": core.CE, "ece": core.ECE, "last": core.Last, "trimmed": core.Trimmed, "rtx": core.Rtx} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		only := traces.Sighting{Record: core.Record{Packet: core.Packet{Flags: flag}}}
		others := traces.Sighting{Record: core.Record{Packet: core.Packet{Flags: ^flag}}}
		if !e.Match(&only) || e.Match(&others) {
			t.Errorf("%s: of a packet with that flag alone %v, with all others %v", text, e.Match(&only), e.Match(&others))
		}
	}
}
