package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitMistake     = 2
	exitInterrupted = 128 + 2 // as of a process that SIGINT ended

	// Those of qbb compare, which follow cmp and diff but for the tolerance.
	exitWithin    = 1
	exitDifferent = 2
	exitTrouble   = 3
)

// exit is an error with an exit code. Without an error of its own it ends the program in
// silence.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// mistake marks an error as the user's.
func mistake(err error) error {
	if err == nil {
		return nil
	}
	return &exit{exitMistake, err}
}

func mistakef(format string, args ...any) error {
	return mistake(fmt.Errorf(format, args...))
}

// finish reports an error on one line and returns the exit code.
func finish(stderr io.Writer, name string, err error) int {
	if err == nil {
		return exitOK
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(stderr, "%s: %s\n", name, strings.Join(strings.Fields(text), " "))
	}
	if e, ok := errors.AsType[*exit](err); ok {
		return e.code
	}
	return exitFailed
}
