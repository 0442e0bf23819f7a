/*
 * Measures what calls cost, in ns, best of five. usage: bench [calls]
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <qbb.h>

enum { BATCH = 64, ACTIONS = 8 };

static const int64_t line = INT64_C(100000000000);
static qbb_sender sender;
static qbb_hop hop;
static qbb_signal signals[BATCH];
static qbb_sender senders[BATCH];
static qbb_control controls[BATCH];
static qbb_node sw;
static qbb_action actions[ACTIONS];
static qbb_packet packet;
static int64_t now;

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "bench: %s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

static void empty(void) { must(qbb_open(QBB_ABI_VERSION)); }

static void refused(void) { (void)qbb_sender_step(0, signals, controls); }

static void prepare(qbb_signal *s)
{
	now += 80000;
	s->now = now;
	s->sent_at = now - s->rtt;
	s->acked += 1000;
	s->next = s->acked + 100000;
	hop.at = (uint64_t)now;
	hop.tx += 1000;
}

static void one_step(void)
{
	prepare(&signals[0]);
	must(qbb_sender_step(sender, &signals[0], &controls[0]));
}

static void batch(void)
{
	for (int i = 0; i < BATCH; i++)
		prepare(&signals[i]);
	must(qbb_sender_step_batch(senders, signals, controls, BATCH, NULL));
}

/* A data packet crosses an idle switch: one call in, one packet with a record out. */
static void forward(void)
{
	now += 1000000;
	packet.sent = now;
	packet.n_hops = 0;
	must(qbb_node_receive(sw, now, QBB_NEVER, 0, &packet, actions, ACTIONS));
}

/* What a host calls for every packet that arrives. */
static void lost(void) { must(qbb_node_lost(sw, now, 0)); }

static void make_and_free(void)
{
	qbb_scheme s;

	must(qbb_scheme_new("hpcc", NULL, &s));
	must(qbb_scheme_free(s));
}

static double measure(void (*call)(void), long n)
{
	double best = 1e9;

	for (int round = 0; round < 5; round++) {
		struct timespec a, b;
		double ns;

		clock_gettime(CLOCK_MONOTONIC, &a);
		for (long i = 0; i < n; i++)
			call();
		clock_gettime(CLOCK_MONOTONIC, &b);
		ns = ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)n;
		if (ns < best)
			best = ns;
	}
	return best;
}

/* Restart the sender of a scheme. */
static void start(const char *name)
{
	qbb_scheme scheme;
	qbb_flow flow = {.size = sizeof flow, .line = line, .base_rtt = 8000000, .mtu = 1000, .hops = 1};

	must(qbb_scheme_new(name, NULL, &scheme));
	must(qbb_sender_new(scheme, &sender));
	now = flow.base_rtt;
	must(qbb_sender_start(sender, now, &flow, &controls[0]));
	hop = (qbb_hop){.line = line};
	for (int i = 0; i < BATCH; i++) {
		senders[i] = sender;
		signals[i] = (qbb_signal){.born = QBB_NEVER, .kind = QBB_ACK, .bytes = 1000, .in_flight = 100000,
		                          .rtt = 8000000, .n_hops = 1, .hops = &hop};
	}
}

static void build_switch(void)
{
	qbb_net net;
	qbb_net_config nc;
	qbb_switch_config sc;
	const uint16_t via = 1;
	qbb_switch_port ports[2] = {{.rate = line, .headroom = 100000, .kmin = QBB_UNLIMITED, .kmax = QBB_UNLIMITED},
	                            {.rate = line, .headroom = 100000, .kmin = QBB_UNLIMITED, .kmax = QBB_UNLIMITED}};

	must(qbb_net_default(QBB_NATIVE, &nc));
	nc.nodes = 3;
	must(qbb_net_new(&nc, &net));
	must(qbb_switch_default(QBB_NATIVE, &sc));
	sc.id = 2;
	sc.n_ports = 2;
	sc.ports = ports;
	must(qbb_switch_new(net, &sc, &sw));
	must(qbb_node_route(sw, 1, &via, 1));
	packet = (qbb_packet){.src = 0, .dst = 1, .size = 1062, .payload = 1000, .prio = 3, .has_int = 1};
}

/* The same switch, of a hosted run. */
static void host_switch(void)
{
	qbb_scenario scenario;
	qbb_run run;

	must(qbb_scenario_read(NULL, NULL, 0, &scenario));
	must(qbb_scenario_set(scenario, "topology", "star:n=2"));
	must(qbb_run_new(scenario, QBB_RUN_HOSTED, &run));
	must(qbb_run_node(run, 2, &sw));
	now = 0;
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 1000000;
	const char *const schemes[] = {"none", "hpcc", "dcqcn", "timely", "swift"};

	empty();
	printf("%-32s %8.1f ns\n", "qbb_open", measure(empty, n));
	start("none");
	printf("%-32s %8.1f ns\n", "refused for its handle", measure(refused, n));
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		double single;

		start(schemes[i]);
		single = measure(one_step, n);
		printf("step %-27s %8.1f ns, in a batch of 64 %.1f ns\n", schemes[i], single, measure(batch, n / BATCH + 1) / BATCH);
	}
	build_switch();
	printf("%-32s %8.1f ns\n", "a packet through a switch", measure(forward, n));
	host_switch();
	printf("%-32s %8.1f ns\n", "... of a hosted run", measure(forward, n));
	printf("%-32s %8.1f ns\n", "qbb_node_lost", measure(lost, n));
	printf("%-32s %8.1f ns\n", "scheme made and freed", measure(make_and_free, n / 100 + 1));
	return 0;
}
