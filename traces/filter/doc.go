// Package filter is the language of expressions that choose packets, in qbb inspect and for
// captures:
//
//	node==5 && time>2us && kind==pfc
//	flow==3 && (ce || rtx) && !(event==enqueue)
//
// An expression compares fields with values, or with fields of the same sort, by == != < <= > >=,
// and joins comparisons by && || ! and parentheses, which bind as in C and Go. [Fields] lists the
// fields. Times and sizes take units (2us, 64KB); a bare number of bytes counts bytes. What is a
// choice, such as kind, knows == and != only. A flag stands alone.
//
//	expression = both { "||" both }
//	both       = term { "&&" term }
//	term       = "!" term | "(" expression ")" | flag | operand operator operand
//	operand    = field | value
package filter
