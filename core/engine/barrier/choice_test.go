package barrier

import (
	"testing"
	"time"
)

// rounds plays rounds of work whose units cost some time by way, and returns in how many one thread worked alone.
func rounds(c *Choice, n int, together, alone time.Duration) (count int) {
	for range n {
		cost := together
		if c.Alone() {
			cost = alone
			count++
		}
		c.learn(roundWork*cost, roundWork)
	}
	return count
}

// The faster way is taken, but for trials of the other, which become rarer.
func TestChoice(t *testing.T) {
	const n = 1000
	var c Choice
	if c.Alone() {
		t.Error("alone at first")
	}
	// Trials after 1, 32, 64, 128 and then 256 rounds.
	if got := rounds(&c, n, 50, 100); got < 4 || got > 6 {
		t.Errorf("together is twice as fast: alone in %d of %d rounds", got, n)
	}
	if got := rounds(&c, n, 140, 100); got > 6 {
		t.Errorf("together is a little slower: alone in %d of %d rounds", got, n)
	}
	if got := rounds(&c, n, 500, 100); got < n-mostRounds-6 {
		t.Errorf("together has become five times as slow: alone in %d of %d rounds", got, n)
	}
	if got := rounds(&c, n, 50, 100); got > mostRounds+6 {
		t.Errorf("together is twice as fast again: alone in %d of %d rounds", got, n)
	}
}

// One slow round among others changes nothing for long.
func TestChoiceHiccup(t *testing.T) {
	var c Choice
	rounds(&c, 100, 50, 100)
	c.learn(roundWork*1000, roundWork)
	if got := rounds(&c, 200, 50, 100); got > fewestRounds+4 {
		t.Errorf("alone in %d of 200 rounds after a slow one", got)
	}
}

// A round of little work lasts until there is enough, or it has taken long: so a trial that is far slower ends early.
func TestChoiceRound(t *testing.T) {
	var c Choice
	for range roundWork - 1 {
		c.learn(1, 1)
	}
	if c.Alone() {
		t.Error("a trial before the end of the first round")
	}
	if c.learn(1, 1); !c.Alone() {
		t.Error("no trial after the first round")
	}
	if c.learn(roundTime-1, 10); !c.Alone() {
		t.Error("the trial has ended early")
	}
	if c.learn(1, 0); c.Alone() {
		t.Error("the trial goes on, although it takes long")
	}
	if c.learn(2*roundTime, 0); c.Alone() {
		t.Error("a round without work tells something")
	}
}
