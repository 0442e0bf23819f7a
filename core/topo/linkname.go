package topo

import (
	"fmt"
	"strconv"
	"strings"
)

// LinkName names a link by its ends, in any order.
type LinkName struct {
	A, B   int // nodes
	Number int // of parallel links, from 1 on; 0: not given
}

// ParseLinkName reads a name such as 16-20, or 16-20/2 for the second of parallel links.
func ParseLinkName(text string) (n LinkName, err error) {
	ends, number, numbered := strings.Cut(text, "/")
	a, b, ok := strings.Cut(ends, "-")
	n.A, err = strconv.Atoi(strings.TrimSpace(a))
	ok = ok && err == nil
	n.B, err = strconv.Atoi(strings.TrimSpace(b))
	ok = ok && err == nil
	if numbered {
		n.Number, err = strconv.Atoi(strings.TrimSpace(number))
		ok = ok && err == nil && n.Number > 0
	}
	if !ok {
		return LinkName{}, fmt.Errorf("%q does not name a link: write its two nodes, such as 16-20, or 16-20/2 for the second of parallel links", text)
	}
	return n, nil
}
