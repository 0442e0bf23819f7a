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
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // the second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
