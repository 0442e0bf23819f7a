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
		*err = fmt.Errorf("%s%v\n%s", failed, r, debug.Stack())
	}
}

// asJSON describes a value to Python.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
