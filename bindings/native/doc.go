// Package native is the basis of the Python package qbb: the simulator behind functions and types
// that gopy can bind. Python's users see package qbb, not this one.
//
// The rules of the border:
//
//   - Results are a value, or a value and an error; gopy leaves out functions with more.
//   - Nothing calls back. Python asks for slices of a run ([Simulation.Run]), so that signals are
//     served and Python's own callbacks run in Python.
//   - A panic would end the interpreter: every function that can meet one returns an error.
//   - Tables go over as bytes, column by column ([Table.Column]); small descriptions as JSON.
//   - Python may call from several threads: what can change has a lock.
//
// Times are picoseconds, rates bit/s, sizes bytes.
package native
