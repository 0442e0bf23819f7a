/*
 * A model of an application drives a run: workers send gradients to a parameter server, which answers each of them
 * once it has those of all; then the next step begins. usage: closed_loop [scheme]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <qbb.h>

enum { WORKERS = 8, SERVER = WORKERS, STEPS = 5 };

static const char text[] = "topology: star:n=9\n"
                           "workload: none\n";

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "closed_loop: %s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

static int64_t now(qbb_run run)
{
	qbb_progress p = {.size = sizeof p};

	must(qbb_run_progress(run, &p));
	return p.now;
}

static void post(qbb_run run, int32_t src, int32_t dst, int64_t bytes)
{
	const qbb_message m = {.size = sizeof m, .src = src, .dst = dst, .dst_port = 100, .prio = 3, .bytes = bytes, .start = now(run)};
	uint32_t flow;

	must(qbb_run_add(run, &m, &flow));
}

/* Waits until as many flows have arrived. */
static void barrier(qbb_run run, int flows)
{
	uint32_t flow;

	while (flows-- > 0)
		if (must(qbb_run_next_arrival(run, QBB_NEVER, &flow)) == 0) {
			fprintf(stderr, "closed_loop: a flow does not arrive\n");
			exit(1);
		}
}

int main(int argc, char **argv)
{
	qbb_scenario scenario;
	qbb_run run;

	must(qbb_open(QBB_ABI_VERSION));
	must(qbb_scenario_read("text", text, sizeof text - 1, &scenario));
	must(qbb_scenario_set(scenario, "cc", argc > 1 ? argv[1] : "dcqcn"));
	must(qbb_run_new(scenario, QBB_RUN_CLOSED_LOOP, &run));
	must(qbb_scenario_free(scenario));
	for (int step = 0; step < STEPS; step++) {
		const int64_t begin = now(run);
		int64_t gathered;

		for (int32_t w = 0; w < WORKERS; w++)
			post(run, w, SERVER, 1000000);
		barrier(run, WORKERS);
		gathered = now(run);
		for (int32_t w = 0; w < WORKERS; w++)
			post(run, SERVER, w, 1000000);
		barrier(run, WORKERS);
		printf("step %d: gradients %.1f us, parameters %.1f us\n", step, (double)(gathered - begin) / 1e6,
		       (double)(now(run) - gathered) / 1e6);
	}
	must(qbb_run_free(run));
	return 0;
}
