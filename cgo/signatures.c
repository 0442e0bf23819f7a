//go:build cgo

/*
 * Compares the functions that qbb.h declares with those that the Go files export: a difference
 * is a conflict of types here. Go has no const, so the header is read without it.
 */
#include <stddef.h>
#include <stdint.h>

#define const
#include "qbb.h"
#undef const
#include "_cgo_export.h"
