/* Calls of level 3 with random arguments, on a few scenarios and runs: what fuzz.c is for levels 1
 * and 2. usage: fuzz_runs [calls [seed]] */
#include "noise.h"

enum { SLOTS = 4, ROOM = 5, MOST = 64 };

static const char base[] = "topology: star:n=4\nworkload: none\nincast: 3x20KB@20us\nduration: 50us\nbuffer: 400KB\n";

static qbb_scenario scenarios[SLOTS];
static qbb_run runs[SLOTS]; /* the first half hosted */
static int64_t clocks[SLOTS];
static qbb_action actions[ROOM];
static long accepted, hosted;

static uint64_t one_of(const uint64_t *handles) { return bits() % 32 ? handles[bits() % SLOTS] : bits(); }

static int64_t moment(size_t at)
{
	if (bits() % 256 == 0)
		return number();
	return clocks[at] += (int64_t)(bits() % 100000);
}

static int advance(void)
{
	const size_t at = SLOTS / 2 + bits() % (SLOTS / 2);
	const qbb_message m = {.size = sizeof m, .src = (int32_t)(bits() % 5), .dst = (int32_t)(bits() % 5), .prio = (uint8_t)(bits() % 9),
	                       .bytes = bits() % 4 ? (int64_t)(bits() % 50000) : number(), .start = clocks[at] + (int64_t)(bits() % 2) * 1000};
	uint32_t flow;

	switch (bits() % 5) {
	case 0: return qbb_run_add(runs[at], &m, &flow);
	case 1: return qbb_run_next_end(runs[at], moment(at), &flow);
	case 2: return qbb_run_next_arrival(runs[at], moment(at), &flow);
	}
	return qbb_run_until(runs[at], moment(at), (int64_t)(bits() % 2000));
}

/* Values that keep a run small, and nonsense. */
static int set(void)
{
	static const char *const pairs[][2] = {
	        {"seed", "5"}, {"cc", "hpcc"}, {"cc", "qcn"}, {"cc", "rcc"}, {"cc", "ibcc"}, {"dcms.sweep", "5us"}, {"loss", "0.01"}, {"profile", "ns3"},
	        {"profile", "native"}, {"flow_control", "credits"}, {"flow_control", "none"}, {"flow_control", "pfc"},
	        {"host.recovery", "selective"}, {"options.order", "schedule"}, {"links", "{at: 10us, down: 0-4}"}, {"stop", "1ms"},
	        {"mtu", "4096"}, {"trace", "all"}, {"queue_sampling.end", "40us"}, {"queue_sampling.events", "true"},
	        {"queue_sampling.interval", "1us"}, {"queue_sampling.dump", "10us"}, {"topology", "dumbbell:n=2"}, {"loss", "2"}, {"lod", "1"},
	        {"cc.params.nothing", "1"}, {"", ""}, {"options.order.x", "1"}, {"ecn", "[[["}, {"buffer", "\xff"}, {"pfc.", "off"},
	};
	const size_t i = bits() % (sizeof pairs / sizeof *pairs);

	return qbb_scenario_set(one_of(scenarios), pairs[i][0], bits() % 32 ? pairs[i][1] : pairs[bits() % 8][1]);
}

/* Texts with bytes changed are read and printed, not run: they may ask for anything. */
static int damaged(void)
{
	char text[sizeof base], print[256];
	qbb_scenario s = 0;
	int code;

	memcpy(text, base, sizeof base);
	for (uint64_t i = bits() % 6; i > 0; i--)
		text[bits() % (sizeof base - 1)] = (char)bits();
	code = qbb_scenario_read(bits() % 2 ? "x" : NULL, text, bits() % sizeof base, &s);
	if (code != 0)
		return code;
	code = qbb_scenario_print(s, print, bits() % sizeof print);
	CHECK(qbb_scenario_free(s) == 0);
	return code;
}

/* Small flows and, now and then, nonsense. */
static int add(void)
{
	static const char *const names[] = {NULL, "", "a", "hpcc", "\xff"};
	const uint32_t after[2] = {(uint32_t)(bits() % 4), (uint32_t)(bits() % 4)};
	const qbb_scenario_flow f = {.size = sizeof f - (bits() % 64 == 0), .src = (int32_t)(bits() % 4), .dst = (int32_t)(bits() % 4),
	                             .prio = (uint8_t)(bits() % 9), .n_after = (uint32_t)(bits() % 3), .after = bits() % 16 ? after : NULL,
	                             .bytes = bits() % 8 ? (int64_t)(bits() % 50000) : number(), .start = bits() % 8 ? (int64_t)(bits() % 50000000) : number(),
	                             .tag = names[bits() % 32 ? bits() % 3 : bits() % 5], .scheme = names[bits() % 32 ? bits() % 2 : bits() % 5]};

	return qbb_scenario_add(one_of(scenarios), &f);
}

static int make(void)
{
	const size_t at = bits() % SLOTS;
	qbb_run run = 0;
	int code;

	switch (bits() % 4) {
	case 0:
		if (qbb_scenario_free(scenarios[at]) == 0)
			scenarios[at] = 0;
		return qbb_scenario_read(NULL, base, sizeof base - 1, &scenarios[at]);
	case 1:
		return qbb_run_write(one_of(runs), (int32_t)(bits() % 5), bits() % 4 ? NULL : "/dev/null/no");
	case 2:
		return bits() % 8 ? set() : add();
	default:
		code = qbb_run_new(one_of(scenarios), at < SLOTS / 2 ? QBB_RUN_HOSTED : at % 2 ? QBB_RUN_CLOSED_LOOP : QBB_RUN_KEEP_PFC, &run);
		if (code == 0) {
			qbb_run_free(runs[at]);
			runs[at] = run;
			clocks[at] = 0;
		}
		return code;
	}
}

static int results(void)
{
	static int64_t numbers[MOST];
	static uint8_t bytes[MOST];
	static qbb_run_link links[MOST];
	static qbb_counters counters[MOST];
	const qbb_run run = one_of(runs);
	const uint32_t n = (uint32_t)(bits() % (MOST + 1)), first = (uint32_t)(bits() % 8 ? bits() % 20 : bits());
	const qbb_flow_columns fc = {.size = sizeof fc - (bits() % 64 == 0), .fct = numbers, .progress = bytes};
	const qbb_pfc_columns pc = {.size = sizeof pc, .at = numbers, .classes = bytes};
	qbb_run_info info = {.size = sizeof info};
	qbb_progress p = {.size = sizeof p};
	qbb_link_change changes[2];
	char text[16];

	switch (bits() % 11) {
	case 9: return qbb_run_added(run, first);
	case 0: return qbb_run_describe(run, bits() % 16 ? &info : NULL);
	case 1: return qbb_run_kinds(run, bytes, n);
	case 2: return qbb_run_links(run, links, n);
	case 3: return qbb_run_changes(run, changes, n % 3);
	case 4: return qbb_run_progress(run, &p);
	case 5: return qbb_run_flows(run, first, n, &fc);
	case 6: return qbb_run_pfc(run, first, n, &pc);
	case 7: return qbb_run_histogram(run, (int32_t)(bits() % 7), (uint32_t)(bits() % 5), (uint64_t *)(void *)numbers, n);
	case 8: return qbb_run_counters(run, (int32_t)(bits() % 7), counters, n);
	default:
		if (bits() % 2)
			return bits() % 2 ? qbb_run_why(run, first, text, n % 17) : qbb_run_notes(run, text, n % 17);
		return bits() % 2 ? qbb_run_tag(run, first, text, n % 17) : qbb_run_scheme(run, first % 3, text, n % 17);
	}
}

/* A host that carries out none of the actions except passing on the packets sent. */
static int host(void)
{
	const size_t at = bits() % (SLOTS / 2);
	const qbb_run run = runs[at];
	const int64_t now = moment(at), born = bits() % 2 ? QBB_NEVER : now;
	const uint32_t port = (uint32_t)(bits() % 4), room = (uint32_t)(bits() % (ROOM + 1));
	qbb_message m = {.size = sizeof m, .src = (int32_t)(bits() % 5), .dst = (int32_t)(bits() % 5), .prio = (uint8_t)(bits() % 9),
	                 .src_port = (uint16_t)bits(), .bytes = bits() % 4 ? (int64_t)(bits() % 50000) : number()};
	const qbb_datagram d = {.size = sizeof d, .dst = (int32_t)(bits() % 5), .bytes = (int32_t)(bits() % 1200),
	                        .prio = (uint8_t)(bits() % 9), .id = bits()};
	qbb_node node = 0;
	uint32_t flow = 0;
	qbb_packet sent;
	int code = qbb_run_node(run, (int32_t)(bits() % 7), &node);

	switch (bits() % 11) {
	case 0: return qbb_run_add(run, &m, &flow);
	case 9: return qbb_nic_send(node, now, born, port, &d, actions, room);
	case 1:
	case 2: return qbb_run_open(run, now, born, (uint32_t)(bits() % 20), actions, room);
	case 3: return qbb_node_lost(node, now, port);
	case 4: return qbb_node_set_link(node, now, born, port, bits() % 4 != 0, actions, room);
	case 5:
		switch (bits() % 3) {
		case 0: return qbb_run_reroute(run, now);
		case 1: return qbb_run_sample(run, now);
		default: return qbb_run_sweep(run, now);
		}
	case 6: return qbb_node_tx_done(node, now, born, port, actions, room);
	case 7: return qbb_node_wake(node, now, born, port, actions, room);
	case 8: return qbb_node_more(node, actions, room);
	default:
		sent = actions[bits() % ROOM].packet;
		if (bits() % 2)
			code = qbb_run_node(run, sent.dst, &node);
		return code ? code : qbb_node_receive(node, now, born, port % 2, &sent, actions, room);
	}
}

static int call(void)
{
	int code;

	switch (bits() % 8) {
	case 0: return bits() % 4 ? make() : damaged();
	case 1:
	case 2: return advance();
	case 3:
	case 4: return results();
	default:
		code = host();
		hosted += code >= 0;
		return code;
	}
}

int main(int argc, char **argv)
{
	const long calls = argc > 1 ? atol(argv[1]) : 200000;

	state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	for (long i = 0; i < calls; i++) {
		const int code = call();

		accepted += code >= 0;
		if (code == QBB_E_INTERNAL || code == QBB_E_BROKEN || code == QBB_E_FULL) {
			fprintf(stderr, "fuzz_runs: call %ld: %s\n", i, qbb_last_error());
			return 1;
		}
	}
	for (int i = 0; i < SLOTS; i++) {
		qbb_run_free(runs[i]);
		qbb_scenario_free(scenarios[i]);
	}
	CHECK(qbb_live() == 0 && accepted > calls / 4 && hosted > calls / 20);
	printf("of %ld calls %ld were accepted, %ld of a host\n", calls, accepted, hosted);
	return 0;
}
