package native

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
)

// failed begins the text of errors that are our fault, not the user's.
const failed = "internal error: "

// guard turns a panic into an error: the last thing that a function at the border does.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = bug(r)
	}
}

// guardState is guard for what a panic leaves in the middle of a change: the error is that of all later calls, too.
func guardState(err, broken *error) {
	if r := recover(); r != nil {
		*err = bug(r)
		*broken = *err
	}
}

func bug(panicked any) error { return fmt.Errorf("%s%v\n%s", failed, panicked, debug.Stack()) }

// asJSON describes a value to Python.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
