/* A closed loop: flows that are added while the library moves the run on. */
#include "check.h"

enum { FLOWS = 40 };

static qbb_run a_loop(const char *text, uint32_t options)
{
	qbb_scenario s;
	qbb_run run;

	CHECK(qbb_scenario_read(NULL, text, strlen(text), &s) == 0 && qbb_run_new(s, options, &run) == 0);
	CHECK(qbb_scenario_free(s) == 0);
	return run;
}

static qbb_message from(int32_t src, int32_t dst, int64_t bytes, int64_t start)
{
	const qbb_message m = {.size = sizeof m, .src = src, .dst = dst, .dst_port = 100, .prio = 3, .bytes = bytes, .start = start};

	return m;
}

static int64_t now(qbb_run run)
{
	qbb_progress p = {.size = sizeof p};

	CHECK(qbb_run_progress(run, &p) == 0);
	return p.now;
}

static int32_t over(qbb_run run)
{
	qbb_progress p = {.size = sizeof p};

	CHECK(qbb_run_progress(run, &p) == 0);
	return p.over;
}

/* Two hosts answer each other without a pause: all of it takes what one message takes, so many times. */
static void ping_pong(const char *text)
{
	const qbb_run run = a_loop(text, QBB_RUN_CLOSED_LOOP);
	int64_t ideal[FLOWS], start[FLOWS], sum = 0;
	const qbb_flow_columns columns = {.size = sizeof columns, .ideal = ideal, .start = start};

	for (uint32_t i = 0; i < FLOWS; i++) {
		const qbb_message m = from((int32_t)i % 2, 1 - (int32_t)i % 2, 10000, now(run));
		uint32_t flow = 77;

		CHECK(qbb_run_add(run, &m, &flow) == 0 && flow == i && !over(run));
		CHECK(qbb_run_next_end(run, QBB_NEVER, &flow) == 1 && flow == i);
	}
	CHECK(qbb_run_flows(run, 0, FLOWS, &columns) == FLOWS);
	for (int i = 0; i < FLOWS; i++) {
		CHECK(start[i] == sum);
		sum += ideal[i];
	}
	CHECK(now(run) == sum && qbb_run_free(run) == 0);
}

/* Ends that qbb_run_until has passed are not lost, and time goes on without flows. */
static void ends(void)
{
	const qbb_run run = a_loop("topology: star:n=4\nworkload: none\ncc: none\n", QBB_RUN_CLOSED_LOOP);
	const qbb_message big = from(0, 1, 100000, 0), small = from(2, 3, 1000, 0), late = from(1, 2, 1000, 2000000000);
	uint32_t flow;

	CHECK(qbb_run_next_end(run, QBB_NEVER, &flow) == 0 && qbb_run_next_end(run, 1000, &flow) == 0 && now(run) == 1000);
	REFUSED(QBB_E_TIME, "before now", qbb_run_add(run, &big, &flow));
	CHECK(qbb_run_free(run) == 0);

	const qbb_run other = a_loop("topology: star:n=4\nworkload: none\ncc: none\n", QBB_RUN_CLOSED_LOOP);

	CHECK(qbb_run_add(other, &big, &flow) == 0 && qbb_run_add(other, &small, &flow) == 0);
	CHECK(qbb_run_until(other, 1000000000, 0) == 1 && now(other) == 1000000000);
	CHECK(qbb_run_add(other, &late, &flow) == 0 && flow == 2);
	CHECK(qbb_run_next_end(other, 1500000000, &flow) == 1 && flow == 1 && now(other) == 1000000000);
	CHECK(qbb_run_next_end(other, 1500000000, &flow) == 1 && flow == 0);
	CHECK(qbb_run_next_end(other, 1500000000, &flow) == 0 && now(other) == 1500000000);
	CHECK(qbb_run_until(other, QBB_NEVER, 0) == 0 && now(other) > 2000000000 && now(other) < 2010000000);
	CHECK(qbb_run_next_end(other, QBB_NEVER, &flow) == 1 && flow == 2 && qbb_run_next_end(other, QBB_NEVER, &flow) == 0);
	CHECK(qbb_run_free(other) == 0);
}

/* A message arrives before it ends; both are told, each once. */
static void arrivals(void)
{
	const qbb_run run = a_loop("topology: star:n=4\nworkload: none\ncc: none\n", QBB_RUN_CLOSED_LOOP);
	const qbb_message big = from(0, 1, 100000, 0), small = from(2, 3, 1000, 0);
	int64_t arrived;
	uint32_t flow;

	CHECK(qbb_run_add(run, &big, &flow) == 0 && qbb_run_add(run, &small, &flow) == 0);
	CHECK(qbb_run_next_arrival(run, QBB_NEVER, &flow) == 1 && flow == 1);
	CHECK(qbb_run_next_arrival(run, QBB_NEVER, &flow) == 1 && flow == 0);
	arrived = now(run);
	CHECK(qbb_run_next_end(run, QBB_NEVER, &flow) == 1 && flow == 1 && now(run) == arrived);
	CHECK(qbb_run_next_end(run, QBB_NEVER, &flow) == 1 && flow == 0 && now(run) > arrived + 2000000 && now(run) < arrived + 2100000);
	CHECK(qbb_run_next_arrival(run, QBB_NEVER, &flow) == 0 && qbb_run_free(run) == 0);
}

static void mistakes(void)
{
	const qbb_message m = from(0, 1, 1000, 0), odd = from(0, 1, 1000, 1), stray = from(0, 4, 1000, 0);
	qbb_run run = a_loop("topology: star:n=4\nworkload: none\n", 0);
	qbb_scenario s;
	uint32_t flow;

	REFUSED(QBB_E_STATE, "QBB_RUN_CLOSED_LOOP", qbb_run_add(run, &m, &flow));
	REFUSED(QBB_E_STATE, "QBB_RUN_CLOSED_LOOP", qbb_run_next_end(run, QBB_NEVER, &flow));
	REFUSED(QBB_E_STATE, "QBB_RUN_CLOSED_LOOP", qbb_run_next_arrival(run, QBB_NEVER, &flow));
	CHECK(qbb_run_free(run) == 0);
	CHECK(qbb_scenario_read(NULL, "topology: star:n=4\n", 19, &s) == 0);
	REFUSED(QBB_E_RANGE, "hosted", qbb_run_new(s, QBB_RUN_HOSTED | QBB_RUN_CLOSED_LOOP, &run));
	CHECK(qbb_scenario_free(s) == 0);

	run = a_loop("profile: ns3\ntopology: star:n=4\nworkload: none\nstop: 1ms\n", QBB_RUN_CLOSED_LOOP);
	REFUSED(QBB_E_NULL, "message", qbb_run_add(run, NULL, &flow));
	REFUSED(QBB_E_NULL, "flow", qbb_run_add(run, &m, NULL));
	REFUSED(QBB_E_NULL, "flow", qbb_run_next_end(run, QBB_NEVER, NULL));
	REFUSED(QBB_E_RANGE, "two hosts", qbb_run_add(run, &stray, &flow));
	REFUSED(QBB_E_RANGE, "whole number", qbb_run_add(run, &odd, &flow));
	REFUSED(QBB_E_RANGE, "until", qbb_run_next_end(run, -1, &flow));
	CHECK(qbb_run_until(run, QBB_NEVER, 0) == 0);
	REFUSED(QBB_E_STATE, "has ended", qbb_run_add(run, &m, &flow));
	CHECK(qbb_run_free(run) == 0);
}

int main(void)
{
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	ping_pong("topology: star:n=2\nworkload: none\ncc: none\n");
	ping_pong("profile: ns3\ntopology: star:n=2\nworkload: none\ncc: none\noptions: {standalone_fct: false}\n");
	ends();
	arrivals();
	mistakes();
	CHECK(qbb_live() == 0);
	return 0;
}
