/* Random numbers of the fuzzers. */
#ifndef QBB_NOISE_H
#define QBB_NOISE_H

#include "check.h"

static uint64_t state;

static inline uint64_t bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static inline void noise(void *p, size_t n)
{
	unsigned char *b = p;

	for (size_t i = 0; i < n; i++)
		b[i] = (unsigned char)(bits() % 4 ? 0 : bits());
}

/* Numbers that are likely to be in range, at its edges, or wild. */
static inline int64_t number(void)
{
	static const int64_t edges[] = {0, 1, -1, 2, 7, 8, 64, 1000, 1062, INT32_MAX, INT64_MAX, INT64_MIN, QBB_TIME_MAX};

	switch (bits() % 4) {
	case 0:
		return edges[bits() % (sizeof edges / sizeof *edges)];
	case 1:
		return (int64_t)bits();
	default:
		return (int64_t)(bits() >> (bits() % 60 + 4));
	}
}

#endif
