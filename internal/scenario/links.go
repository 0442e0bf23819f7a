package scenario

import (
	"errors"
	"fmt"

	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// buildLinks finds the links that fail, return or lose packets.
func (sc *Scenario) buildLinks(s *sim.Setup) error {
	for i, c := range sc.LinkLoss {
		key := fmt.Sprintf("link_loss.%d", i)
		link, err := findLink(s.Topology, c.Link)
		if err == nil && c.Loss > 1 {
			err = fmt.Errorf("the loss %v is not a probability", c.Loss)
		}
		if err != nil {
			return sc.wrong(key, err)
		}
		s.Topology.Links[link].Loss = c.Loss
	}
	down := make(map[int]bool)
	for i, c := range sc.Links {
		key := fmt.Sprintf("links.%d", i)
		if (c.Down == "") == (c.Up == "") {
			return sc.wrong(key, errors.New("give one of down and up, such as {at: 1ms, down: 16-20}"))
		}
		link, err := findLink(s.Topology, c.Down+c.Up)
		if err == nil && i > 0 && c.At < sc.Links[i-1].At {
			err = fmt.Errorf("%v comes before the change above it: sort them by time", c.At)
		}
		if err != nil {
			return sc.wrong(key, err)
		}
		if up := c.Up != ""; up != down[link] {
			s.Notes = append(s.Notes, fmt.Sprintf("%s changes nothing: link %s is %s at %v already", key, c.Down+c.Up, upOrDown[up], c.At))
		}
		down[link] = c.Down != ""
		s.Links = append(s.Links, sim.LinkEvent{At: c.At, Link: link, Up: c.Up != ""})
	}
	return nil
}

// upOrDown names the state of a link that is up or not.
var upOrDown = map[bool]string{true: "up", false: "down"}

// findLink returns the index of the link that a text names.
func findLink(t *topo.Topology, text string) (int, error) {
	name, err := topo.ParseLinkName(text)
	if err != nil {
		return 0, err
	}
	var found []int
	for i, l := range t.Links {
		if a, b := int(l.A), int(l.B); a == name.A && b == name.B || a == name.B && b == name.A {
			found = append(found, i)
		}
	}
	switch ends := fmt.Sprintf("%d-%d", name.A, name.B); {
	case len(found) == 0:
		return 0, fmt.Errorf("no link joins nodes %d and %d: name the two ends of a link", name.A, name.B)
	case name.Number > len(found):
		return 0, fmt.Errorf("%q: nodes %d and %d have %d links", text, name.A, name.B, len(found))
	case name.Number == 0 && len(found) > 1:
		return 0, fmt.Errorf("nodes %d and %d have %d links: write %s/1 to %s/%d", name.A, name.B, len(found), ends, ends, len(found))
	}
	return found[max(name.Number, 1)-1], nil
}
