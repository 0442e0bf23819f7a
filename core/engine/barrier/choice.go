package barrier

import "time"

// Choice learns by the clock whether one thread alone is clearly faster than several together: where other programs have
// the processors, threads that wait for one another may take ten times as long. The zero value begins with the threads
// together.
type Choice struct {
	alone  bool
	best   bool // whether alone is the faster way, as far as is known; alone != best is a trial
	began  time.Time
	took   time.Duration // in the present round
	done   int
	cost   [2]float64 // ns a unit of work together and alone, smoothed; 0: not known
	rounds int        // until the next trial
	wait   int        // rounds between the last trial and the next
}

const (
	roundWork    = 1 << 15 // units of work (events) of a round, unless they take longer than roundTime
	roundTime    = 50 * time.Millisecond
	fewestRounds = 32 // between two trials: doubled after each that was in vain, up to mostRounds
	mostRounds   = 256
	clearly      = 1.5 // times faster: less may be a passing disturbance
)

// Alone reports whether one thread is to work alone.
func (c *Choice) Alone() bool { return c.alone }

// Begin and End enclose some work that is done as Alone says.
func (c *Choice) Begin() { c.began = time.Now() }

// End says how much has been done.
func (c *Choice) End(done int) { c.learn(time.Since(c.began), done) }

// learn ends a round if enough is done, and chooses the way of the next.
func (c *Choice) learn(took time.Duration, done int) {
	c.took, c.done = c.took+took, c.done+done
	if c.done == 0 || c.done < roundWork && c.took < roundTime {
		return
	}
	c.weigh(float64(c.took) / float64(c.done))
	c.took, c.done = 0, 0
	if c.alone == c.best {
		if c.rounds--; c.rounds < 0 {
			c.alone = !c.best
		}
		return
	}
	if c.alone = clearly*c.cost[1] < c.cost[0]; c.alone != c.best {
		c.best, c.wait = c.alone, fewestRounds
	} else {
		c.wait = min(max(2*c.wait, fewestRounds), mostRounds)
	}
	c.rounds = c.wait
}

// weigh adds the cost of a round to what is known of its way. A trial counts as it is: what was known may be old.
func (c *Choice) weigh(cost float64) {
	known := &c.cost[0]
	if c.alone {
		known = &c.cost[1]
	}
	if *known == 0 || c.alone != c.best {
		*known = cost
		return
	}
	*known += float64((cost - *known) / 4)
}
