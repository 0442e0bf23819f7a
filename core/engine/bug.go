package engine

import (
	"fmt"
	"runtime/debug"
)

// Bug is a panic of a part that ran in parallel with others. Whatever the thread, it is passed on to the
// caller of [Group.Run], where it can be recovered. The group cannot be used any more.
type Bug struct {
	Value any
	Stack []byte // of the first panic
}

// Error implements error.
func (b *Bug) Error() string { return fmt.Sprintf("%v\n%s", b.Value, b.Stack) }

// catch, deferred, keeps a panic.
func catch(bug **Bug) {
	if r := recover(); r != nil {
		*bug = &Bug{r, debug.Stack()}
	}
}

// bug returns a bug of the job, if there was one.
func (c *crew) bug() *Bug {
	for i := range c.desks {
		for _, n := range c.desks[i].notice {
			if n.bug != nil {
				return n.bug
			}
		}
	}
	return c.merger.bug()
}

// bug returns a bug of a thread that merged, if there was one.
func (m *merger) bug() *Bug {
	if m == nil {
		return nil
	}
	for i := range m.stretches {
		if bug := m.stretches[i].bug; bug != nil {
			return bug
		}
	}
	return nil
}
