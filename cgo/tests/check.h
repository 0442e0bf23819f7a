/* Shared by the tests in C. */
#ifndef QBB_CHECK_H
#define QBB_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <qbb.h>

/* Ends the test if a condition does not hold. */
#define CHECK(condition)                                                                      \
	do {                                                                                  \
		if (!(condition)) {                                                           \
			fprintf(stderr, "%s:%d: %s does not hold (last error: %s)\n", __FILE__, \
			        __LINE__, #condition, qbb_last_error());                      \
			exit(1);                                                              \
		}                                                                             \
	} while (0)

/* Ends the test unless a call fails with a code and a text that contains a word. */
#define REFUSED(code, word, call)                                                              \
	do {                                                                                   \
		int got = (call);                                                              \
		if (got != (code) || !strstr(qbb_last_error(), (word))) {                      \
			fprintf(stderr, "%s:%d: %s gave %d and \"%s\", not %d and \"%s\"\n", __FILE__, \
			        __LINE__, #call, got, qbb_last_error(), (code), (word));       \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

#define LINE INT64_C(100000000000)

static inline qbb_flow a_flow(void)
{
	qbb_flow f;

	memset(&f, 0, sizeof f);
	f.size = sizeof f;
	f.line = LINE;
	f.base_rtt = 8000000;
	f.mtu = 1000;
	f.hops = 2;
	return f;
}

/* A network of hosts 0 and 1 and the switch 2 between them, and one scheme. */
struct small {
	qbb_scheme scheme;
	qbb_net net;
	qbb_node host[2], sw;
};

/* With credits: InfiniBand's flow control in place of PFC, selective recovery, and adaptive routing. */
static inline struct small make_small_with(const char *scheme, int credits)
{
	struct small s;
	qbb_net_config nc;
	qbb_nic_config hc;
	qbb_switch_config sc;
	qbb_switch_port ports[2];
	const uint16_t via[2] = {0, 1};
	const int64_t rate = LINE;

	CHECK(qbb_scheme_new(scheme, NULL, &s.scheme) == 0);
	CHECK(qbb_net_default(QBB_NATIVE, &nc) == 0);
	nc.nodes = 3;
	nc.schemes = &s.scheme;
	nc.n_schemes = 1;
	nc.max_qps = 64;
	if (credits) {
		nc.lane = 64 << 10;
		nc.credit_update = 8 << 10;
		nc.options |= QBB_CREDIT_REFRESH;
	}
	CHECK(qbb_net_new(&nc, &s.net) == 0);
	CHECK(qbb_nic_default(QBB_NATIVE, &hc) == 0);
	hc.n_ports = 1;
	hc.rates = &rate;
	if (credits) {
		memset(hc.recovery, QBB_SELECTIVE, sizeof hc.recovery);
		hc.reordering = 2;
	}
	for (int32_t i = 0; i < 2; i++) {
		hc.id = i;
		CHECK(qbb_nic_new(s.net, &hc, &s.host[i]) == 0);
		CHECK(qbb_node_route(s.host[i], 1 - i, via, 1) == 0);
	}
	CHECK(qbb_switch_default(QBB_NATIVE, &sc) == 0);
	memset(ports, 0, sizeof ports);
	for (int i = 0; i < 2; i++) {
		ports[i].rate = LINE;
		ports[i].headroom = 100000;
		ports[i].kmin = 10000;
		ports[i].kmax = 100000;
		ports[i].pmax = 0.5;
		ports[i].shift = 3;
	}
	sc.id = 2;
	sc.n_ports = 2;
	sc.ports = ports;
	sc.balance = credits ? QBB_ADAPTIVE : QBB_ECMP;
	CHECK(qbb_switch_new(s.net, &sc, &s.sw) == 0);
	for (int32_t i = 0; i < 2; i++)
		CHECK(qbb_node_route(s.sw, i, &via[i], 1) == 0);
	return s;
}

/* A run of an incast with losses. */
static inline qbb_run a_run(uint32_t options)
{
	static const char text[] = "topology: star:n=4\nworkload: none\nincast: 3x20KB@20us\nduration: 50us\nloss: 0.001\n";
	qbb_scenario s;
	qbb_run run;

	CHECK(qbb_scenario_read(NULL, text, sizeof text - 1, &s) == 0);
	CHECK(qbb_run_new(s, options, &run) == 0 && qbb_scenario_free(s) == 0);
	return run;
}

static inline struct small make_small(const char *scheme) { return make_small_with(scheme, 0); }

static inline qbb_flow_config a_message(int64_t bytes)
{
	qbb_flow_config f;

	memset(&f, 0, sizeof f);
	f.size = sizeof f;
	f.dst = 1;
	f.prio = 3;
	f.hops = 2;
	f.bytes = bytes;
	f.base_rtt = 8000000;
	return f;
}

#endif
