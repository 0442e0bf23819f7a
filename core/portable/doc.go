// Package portable has the elementary functions that a simulation needs, with the same result to the
// last bit whatever the processor and the version of Go. Package math does not promise that:
// compilers fuse x*y + z into one rounding where the processor can (arm64, and amd64 from
// GOAMD64=v3 on), and [math.Exp] on amd64 chooses by the processor at run time.
//
// A product that is added to something is written float64(x*y) here and in all code that a result
// depends on: by the language's specification the conversion rounds, which forbids fusing. Package
// lint has the compiler list what it would fuse, and requires an empty list.
//
// In units of the last place and for random arguments, the tests hold Exp2 and Log to an error of about
// 1, Log2 and Cbrt to 2; Power is the nearest number there.
package portable
