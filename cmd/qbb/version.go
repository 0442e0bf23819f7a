package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/scenario"
)

func versionCommand() command {
	return command{
		name: "version", brief: "print the version",
		about: "Prints the version of qbb, of Go, and the platform. qbb --version does the same.",
		define: func(*pflag.FlagSet) action {
			return func(c *call) error {
				_, err := fmt.Fprintf(c.stdout, "qbb %s %s %s/%s\n", scenario.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			}
		},
	}
}
