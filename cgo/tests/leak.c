/* Making and freeing a hundred thousand things takes no more memory at the end than at the
 * beginning. usage: leak [rounds] */
#include <unistd.h>

#include "check.h"

/* Resident memory in bytes. */
static long resident(void)
{
	long pages = 0, ignored = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	CHECK(f && fscanf(f, "%ld %ld", &ignored, &pages) == 2);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

static void senders(int n)
{
	qbb_scheme s;
	qbb_sender d;
	qbb_flow f = a_flow();
	qbb_control c;

	for (int i = 0; i < n; i++) {
		CHECK(qbb_scheme_new(i % 2 ? "hpcc" : "dcqcn", "min_rate=100Mbps", &s) == 0);
		CHECK(qbb_sender_new(s, &d) == 0 && qbb_sender_start(d, 0, &f, &c) == 0);
		CHECK(qbb_scheme_free(s) == 0 && qbb_sender_free(d) == 0);
		CHECK(qbb_sender_free(d) == QBB_E_HANDLE);
	}
}

/* Networks that are freed with packets in their queues. */
static void networks(int n)
{
	qbb_flow_config f = a_message(100000);
	qbb_action a[8];

	for (int i = 0; i < n; i++) {
		struct small s = make_small("hpcc");

		CHECK(qbb_nic_open(s.host[0], 0, QBB_NEVER, &f, NULL, a, 8) >= 1);
		for (int k = 0; k < 3; k++)
			CHECK(qbb_node_receive(s.sw, 100, 0, 0, &a[0].packet, a + 1, 7) >= 0);
		CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
	}
}

/* Nodes of one network that are freed with packets in their queues: the packets are used again. */
static void nodes(int n)
{
	struct small s = make_small("hpcc");
	qbb_switch_config sc;
	qbb_switch_port port;
	qbb_packet p;
	qbb_action a;
	const uint16_t via = 0;

	memset(&p, 0, sizeof p);
	p.dst = 1;
	p.size = 1062;
	p.payload = 1000;
	p.prio = 3;
	p.has_int = 1;
	memset(&port, 0, sizeof port);
	port.rate = LINE;
	port.kmin = port.kmax = QBB_UNLIMITED;
	CHECK(qbb_switch_default(QBB_NATIVE, &sc) == 0);
	sc.n_ports = 1;
	sc.ports = &port;
	sc.id = 2;
	CHECK(qbb_node_free(s.sw) == 0);
	for (int i = 0; i < n; i++) {
		qbb_node sw;

		CHECK(qbb_switch_new(s.net, &sc, &sw) == 0);
		CHECK(qbb_node_route(sw, 1, &via, 1) == 0);
		for (int k = 0; k < 3; k++) {
			CHECK(qbb_node_receive(sw, 100, 0, 0, &p, &a, 1) >= 0);
			CHECK(qbb_node_more(sw, &a, 1) == 0);
		}
		CHECK(qbb_node_set_link(sw, 100, 0, 0, 0, NULL, 0) >= 2); /* not fetched */
		CHECK(qbb_node_free(sw) == 0);
	}
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* Runs that are freed in the middle, half of them hosted. */
static void runs(int n)
{
	qbb_action a[8];
	qbb_node node;

	for (int i = 0; i < n; i++) {
		const qbb_run run = a_run(i % 2 ? QBB_RUN_HOSTED : QBB_RUN_KEEP_PFC);

		if (i % 2)
			CHECK(qbb_run_open(run, 0, 0, 0, a, 8) >= 1 && qbb_run_node(run, 0, &node) == 0);
		else
			CHECK(qbb_run_until(run, 5000000, 0) == 1);
		CHECK(qbb_run_free(run) == 0);
	}
}

/* Ten blocks: the least memory after one of the last three is not far above the most after one of
 * the first three. In between the collector is free to lag. A leak of 1 KB a round adds 50 MB. */
static void steady(const char *what, void (*body)(int), int rounds)
{
	long early = 0, late = 0;

	for (int block = 0; block < 10; block++) {
		long now;

		body(rounds / 10);
		now = resident();
		if (block < 3 && now > early)
			early = now;
		if (block == 7 || (block > 7 && now < late))
			late = now;
	}
	if (late > early + (32 << 20)) {
		fprintf(stderr, "leak: %s: %ld bytes grew to %ld\n", what, early, late);
		exit(1);
	}
	CHECK(qbb_live() == 0);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 100000;

	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	steady("senders", senders, rounds);
	steady("nodes", nodes, rounds);
	steady("networks", networks, rounds / 100);
	steady("runs", runs, rounds / 100);
	return 0;
}
