package workloads

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// placement says which hosts take part in a pattern, as which groups, when, and how its flows are tagged. It is written behind
// the sizes, as in ring-all-reduce:64MB,hosts=0-31,group=8,tag=tp.
type placement struct {
	hosts  []string // nodes and ranges; nil: all hosts
	group  int      // hosts of a group; 0: as many as there are
	stride int      // places in the list between the hosts of a group; 0: 1
	tag    string   // empty: that of the pattern
	start  core.Duration
	after  string // tag of the patterns that the hosts wait for; empty: none
}

var placementKeys = []string{"hosts", "group", "stride", "tag", "start", "after"}

// What a chosen tag has in place of these is a number from 0.
const (
	tagGroup = "{group}"
	tagRound = "{round}" // of every size
)

// mostTag is what a flow file takes, less the ends of tags such as AnswerTag. Numbers are no longer than what stands for them.
const mostTag = 256 - len(AnswerTag)

// cutPlacement parts the values of a pattern from its keys: the first word with an equals sign, and all behind it.
func cutPlacement(text string) (values string, keys []string) {
	words := strings.Split(text, ",")
	for i, w := range words {
		if strings.Contains(w, "=") {
			return strings.Join(words[:i], ","), words[i:]
		}
	}
	return text, nil
}

// parsePlacement reads words of KEY=VALUE, of which hosts takes more than one.
func parsePlacement(words []string) (p placement, err error) {
	given, last := make(map[string]bool), ""
	for _, w := range words {
		key, value, starts := strings.Cut(w, "=")
		if !starts {
			if last != "hosts" {
				return p, fmt.Errorf("%q stands behind %s=, which has one value: what has no key comes first", w, last)
			}
			p.hosts = append(p.hosts, strings.TrimSpace(w))
			continue
		}
		last = strings.TrimSpace(key)
		if given[last] {
			return p, fmt.Errorf("%s is given twice", last)
		}
		given[last] = true
		if err := p.set(last, strings.TrimSpace(value)); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *placement) set(key, value string) (err error) {
	switch key {
	case "hosts":
		p.hosts = []string{value}
	case "group":
		if p.group, err = strconv.Atoi(value); err != nil || p.group < 2 {
			return fmt.Errorf("group: %q is not a number of hosts from 2 on", value)
		}
	case "stride":
		if p.stride, err = strconv.Atoi(value); err != nil || p.stride < 1 {
			return fmt.Errorf("stride: %q is not a whole number from 1 on", value)
		}
	case "tag":
		p.tag = value
		return checkTag(value)
	case "start":
		if p.start, err = parsePause(value); err != nil {
			return fmt.Errorf("start: %w", err)
		}
	case "after":
		if p.after = value; value == "" {
			return errors.New("after: write the tag of a pattern before this one, or its name if it has chosen none")
		}
	default:
		return fmt.Errorf("unknown key %q%s", key, spelling.Suggest(key, placementKeys))
	}
	return nil
}

func checkTag(tag string) error {
	if tag == "" || !utf8.ValidString(tag) || utf8.RuneCountInString(tag) > mostTag || strings.ContainsFunc(tag, unicode.IsControl) {
		return fmt.Errorf("tag: %q is not 1 to %d printable characters", tag, mostTag)
	}
	if rest := strings.NewReplacer(tagGroup, "", tagRound, "").Replace(tag); strings.ContainsAny(rest, "{}") {
		return fmt.Errorf("tag: braces in %q hold something else than group or round", tag)
	}
	return nil
}

// placed reports whether the groups are chosen, rather than being the whole network.
func (p *placement) placed() bool { return p.hosts != nil || p.group > 0 || p.stride > 0 }

// groups lists the hosts of every group, in the order in which the pattern takes them. With size hosts in a group and a
// stride, the list is cut into blocks of size x stride hosts. The groups of a block begin with its first hosts.
func (p *placement) groups(t *topo.Topology) (groups [][]core.NodeID, err error) {
	hosts := t.Hosts()
	if p.hosts != nil {
		if hosts, err = listHosts(p.hosts, t); err != nil {
			return nil, fmt.Errorf("hosts: %w", err)
		}
	}
	size, stride := p.group, max(1, p.stride)
	switch {
	case size == 0 && (len(hosts)%stride > 0 || stride > 1 && len(hosts) == stride):
		return nil, fmt.Errorf("stride: %d hosts do not make %d groups of the same size, from 2 on", len(hosts), stride)
	case size == 0:
		size = len(hosts) / stride
	case len(hosts)%size > 0:
		return nil, fmt.Errorf("group: %d hosts do not make groups of %d", len(hosts), size)
	case len(hosts)/size%stride > 0:
		return nil, fmt.Errorf("stride: the number of groups of %d hosts, %d, is no multiple of %d", size, len(hosts)/size, stride)
	}
	for block := range slices.Chunk(hosts, size*stride) {
		for first := range stride {
			var group []core.NodeID
			for i := first; i < len(block); i += stride {
				group = append(group, block[i])
			}
			groups = append(groups, group)
		}
	}
	return groups, nil
}

// listHosts reads nodes and ranges such as 5, 0-7 and 0-56:8, which is every eighth.
func listHosts(words []string, t *topo.Topology) (hosts []core.NodeID, err error) {
	seen := make([]bool, len(t.Kinds))
	for _, w := range words {
		from, to, step, ok := parseRange(w)
		if !ok {
			return nil, fmt.Errorf("%q is neither a node nor a range such as 0-7, or 0-56:8 for every eighth", w)
		}
		if err := checkHost(to, t); err != nil { // before a range of any length
			return nil, err
		}
		if to < from {
			return nil, fmt.Errorf("the range %s goes down", w)
		}
		for id := from; id <= to; id += step {
			if err := checkHost(id, t); err != nil {
				return nil, err
			}
			if seen[id] {
				return nil, fmt.Errorf("node %d is given twice", id)
			}
			seen[id] = true
			hosts = append(hosts, core.NodeID(id))
		}
	}
	return hosts, nil
}

// parseRange reads a node or a range, whose step is 1 unless it says otherwise.
func parseRange(text string) (from, to, step uint64, ok bool) {
	ends, by, stepped := strings.Cut(text, ":")
	first, last, ranged := strings.Cut(ends, "-")
	if !ranged {
		last = first
	}
	if !stepped {
		by = "1"
	}
	ok = ranged || !stepped
	number := func(text string) uint64 {
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		ok = ok && err == nil
		return n
	}
	from, to, step = number(first), number(last), number(by)
	return from, to, step, ok && step > 0
}

func checkHost(id uint64, t *topo.Topology) error {
	wrong := ""
	switch {
	case id >= uint64(len(t.Kinds)):
		wrong = fmt.Sprintf("there is no node %d", id)
	case t.Kinds[id] != topo.Host:
		wrong = fmt.Sprintf("node %d is a switch", id)
	default:
		return nil
	}
	return fmt.Errorf("%s: %s", wrong, t.HostRange())
}

// tagOf returns the tag of a round of a group, of a pattern that otherwise has another.
func (p *placement) tagOf(usual string, group, round int) string {
	if p.tag == "" {
		return usual
	}
	return strings.NewReplacer(tagGroup, strconv.Itoa(group), tagRound, strconv.Itoa(round)).Replace(p.tag)
}
