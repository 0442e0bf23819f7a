// Command qbb simulates RDMA data-center networks packet by packet.
//
//	qbb run                     a built-in scenario
//	qbb run config.txt          a case of the reference simulator, or a scenario in YAML
//	qbb run --cc dcqcn --topology fat-tree:k=8 --workload fbhadoop --load 0.6
//	qbb help                    everything else
//
// Exit codes: 0 for success, 2 for a mistake of the user's (one line on standard error, no
// file written), 130 for a run that was interrupted (its files are complete and hold what
// had happened), 1 for everything else. The codes of qbb compare are in its help text.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// untilSignal returns a context that ends when somebody asks the program to stop, for what must then
// leave its files complete. Before, and after done, a signal ends the program at once.
func (c *call) untilSignal() (ctx context.Context, done context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, done = signal.NotifyContext(c.ctx, signals...)
	// A later signal ends the process at once. Those that come with the first are the same request:
	// timeout and batch systems signal a process and its group.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, done) })
	return ctx, done
}
