package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/inspect"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/filter"
)

func inspectCommand() command {
	return command{
		name: "inspect", args: "FILE [EXPRESSION]", brief: "look into a capture or an event trace", maxArgs: 2,
		about: `FILE is what qbb run --pcap or --trace has written, compressed or not, or - for standard input; other captures are not read. Prints the packets for which the expression holds, such as 'node==5 && time>2us && kind==pfc'; see qbb help expressions. Other flags show flows, or one flow or packet.`,
		define: func(fs *pflag.FlagSet) action {
			v := &viewer{given: fs.Changed}
			fs.BoolVar(&v.flows, "flows", false, "list the flows in the file")
			fs.Int64Var(&v.flow, "flow", -1, usage("FLOW", "show the life of a flow on one screen: rate, marks, pauses, what was sent again"))
			fs.Int64Var(&v.hops, "hops", -1, usage("FLOW", "show what a flow went through, node by node"))
			fs.StringVar(&v.packet, "packet", "", usage("FLOW:BYTE", "follow the packet that holds a byte of a flow, and its acknowledgement, from port to port"))
			fs.IntVar(&v.limit, "limit", 0, usage("NUMBER", "most packets to print"))
			fs.BoolVar(&v.count, "count", false, "print only the number of packets")
			return v.inspect
		},
	}
}

// viewer is one use of qbb inspect.
type viewer struct {
	given        func(flag string) bool
	flow, hops   int64
	packet       string
	limit        int
	flows, count bool
}

func (v *viewer) inspect(c *call) error {
	if len(c.args) == 0 {
		return mistakef("name a file that qbb run --pcap or --trace has written")
	}
	if err := v.check(); err != nil {
		return mistake(err)
	}
	path := inputOf(c.args[0])
	switch {
	case v.flows:
		return show(c, path, inspect.Flows)
	case v.flow >= 0:
		return show(c, path, func(path string) (string, error) { return inspect.Life(path, v.flow) })
	case v.hops >= 0:
		return show(c, path, func(path string) (string, error) { return inspect.Hops(path, v.hops) })
	case v.given("packet"):
		flow, offset, err := parsePacket(v.packet)
		if err != nil {
			return mistake(err)
		}
		return show(c, path, func(path string) (string, error) { return inspect.Packet(path, flow, offset) })
	}
	return v.list(c, path)
}

// check finds flags that contradict each other or cannot be.
func (v *viewer) check() error {
	var views []string
	for _, flag := range [...]string{"flows", "flow", "hops", "packet", "count"} {
		if v.given(flag) {
			views = append(views, flag)
		}
	}
	switch {
	case len(views) > 1:
		return errors.New("choose one of --flows, --flow, --hops, --packet, --count")
	case len(views) > 0 && v.given("limit"):
		return fmt.Errorf("--limit: it bounds a list of packets: leave it or --%s out", views[0])
	case v.given("flow") && v.flow < 0:
		return fmt.Errorf("--flow: %d: flows are numbered from 0", v.flow)
	case v.given("hops") && v.hops < 0:
		return fmt.Errorf("--hops: %d: flows are numbered from 0", v.hops)
	case v.limit < 0:
		return fmt.Errorf("--limit: %d: write a number of packets, or 0 for all", v.limit)
	}
	return nil
}

// show prints a view that is made as a whole.
func show(c *call, path string, view func(path string) (string, error)) error {
	if len(c.args) > 1 {
		return mistakef("unexpected argument %q: an expression chooses what is listed; a view shows a whole flow", c.args[1])
	}
	text, err := view(path)
	if err != nil {
		return mistake(err)
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}

// parsePacket reads FLOW:BYTE.
func parsePacket(text string) (flow, offset int64, err error) {
	a, b, _ := strings.Cut(text, ":")
	flow, err1 := strconv.ParseInt(a, 10, 64)
	bytes, err2 := core.ParseBytes(b)
	if err1 != nil || err2 != nil || flow < 0 || bytes < 0 {
		return 0, 0, fmt.Errorf("--packet %q: write FLOW:BYTE, such as 3:64000", text)
	}
	return flow, int64(bytes), nil
}

// list prints the packets that an expression chooses.
func (v *viewer) list(c *call, path string) error {
	text := ""
	if len(c.args) > 1 {
		text = c.args[1]
	}
	expr, err := filter.Parse(text)
	if err != nil {
		return mistake(err)
	}
	out := bufio.NewWriterSize(c.stdout, 64<<10)
	limit := v.limit
	if limit == 0 {
		limit = math.MaxInt
	}
	found := 0
	err = inspect.Each(path, func(s *traces.Sighting) bool {
		if !expr.Match(s) {
			return true
		}
		if found++; found == 1 && !v.count {
			fmt.Fprintln(out, inspect.Head)
		}
		if !v.count {
			fmt.Fprintln(out, inspect.Line(s))
		}
		return found < limit
	})
	switch {
	case err != nil && (found == 0 || v.count): // a part's count would look like that of the whole
	case v.count:
		fmt.Fprintln(out, found)
	case found == 0:
		fmt.Fprintln(out, inspect.Head)
	}
	if flushed := out.Flush(); err == nil {
		return flushed
	}
	return mistake(err)
}
