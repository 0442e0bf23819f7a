//go:build cgo

/* The text of the last failure, by thread: in C, so that it lives as long as the thread. */
#include <string.h>

#include "qbb.h"

void qbb_set_error(const char *text, size_t n) __attribute__((visibility("hidden")));

static _Thread_local char last[1024];

void qbb_set_error(const char *text, size_t n)
{
	if (n >= sizeof last)
		n = sizeof last - 1;
	memcpy(last, text, n);
	last[n] = '\0';
}

const char *qbb_last_error(void) { return last; }

const char *qbb_version(void) { return QBB_VERSION; }
