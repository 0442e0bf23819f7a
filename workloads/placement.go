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

// placement says which hosts take part in traffic, as which groups, when, and how its flows are tagged. It is written behind
// the sizes of a pattern, as in ring-all-reduce:64MB,hosts=0-31,group=8,tag=tp, the path of a schedule, and so on.
type placement struct {
	hosts  []string // nodes and ranges; nil: all hosts
	to     []string // those that the hosts send to; nil: each other
	group  int      // hosts of a group; 0: as many as there are
	stride int      // places in the list between the hosts of a group; 0: 1
	tag    string   // empty: that of the pattern
	start  core.Duration
	after  string // tag of the patterns that the hosts wait for; empty: none
}

var patternKeys = []string{"hosts", "group", "stride", "tag", "start", "after"}

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

// cutKeys parts a path from the keys: the longest that is known, otherwise what is before the first equals sign.
func cutKeys(text string, known func(path string) bool) (path string, keys []string) {
	words := strings.Split(text, ",")
	for i := len(words); i > 0; i-- {
		path := strings.Join(words[:i], ",")
		if keyed := i == len(words) || strings.Contains(words[i], "="); keyed && path != "" && known(path) {
			return path, words[i:]
		}
	}
	return cutPlacement(text)
}

// parsePlacement reads words of KEY=VALUE, of which hosts and to take more than one. Keys are those that the traffic has.
func parsePlacement(words, keys []string) (p placement, err error) {
	given, last := make(map[string]bool), ""
	for _, w := range words {
		key, value, starts := strings.Cut(w, "=")
		if !starts {
			list := p.list(last)
			if list == nil {
				return p, fmt.Errorf("%q stands behind %s=, which has one value: what has no key comes first", w, last)
			}
			*list = append(*list, strings.TrimSpace(w))
			continue
		}
		last = strings.TrimSpace(key)
		switch {
		case !slices.Contains(keys, last):
			return p, fmt.Errorf("unknown key %q%s", last, spelling.Suggest(last, keys))
		case given[last]:
			return p, fmt.Errorf("%s is given twice", last)
		}
		given[last] = true
		if err := p.set(last, strings.TrimSpace(value)); err != nil {
			return p, err
		}
	}
	return p, nil
}

// list is what a key of several values sets; nil: it has one value.
func (p *placement) list(key string) *[]string {
	switch key {
	case "hosts":
		return &p.hosts
	case "to":
		return &p.to
	}
	return nil
}

func (p *placement) set(key, value string) (err error) {
	switch key {
	case "hosts", "to":
		*p.list(key) = []string{value}
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

// senders lists the hosts that take part, in the order in which they were given.
func (p *placement) senders(t *topo.Topology) ([]core.NodeID, error) {
	if p.hosts == nil {
		return t.Hosts(), nil
	}
	hosts, err := listHosts(p.hosts, t)
	if err != nil {
		return nil, fmt.Errorf("hosts: %w", err)
	}
	return hosts, nil
}
