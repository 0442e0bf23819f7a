/*
 * Runs a scenario and looks at its results: columns of the flow table, PFC frames, the deepest
 * queue. usage: scenario [file [fct.txt]]: a scenario in YAML or a config.txt; without, the text
 * below; fct.txt is written if named.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <qbb.h>

static const char text[] = "topology: leaf-spine:leaves=2,spines=2,hosts=4\n"
                           "workload: fbhadoop\n"
                           "load: 0.5\n"
                           "duration: 200us\n"
                           "incast: 6x100KB\n"
                           "cc: dcqcn\n";

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "scenario: %s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Prints how much longer the flows took than alone in the network. */
static void slowdowns(qbb_run run, uint32_t n)
{
	int64_t *fct = calloc(n + 1, sizeof *fct), *ideal = calloc(n + 1, sizeof *ideal);
	uint8_t *progress = calloc(n + 1, 1);
	double *slowdown = calloc(n + 1, sizeof *slowdown);
	const qbb_flow_columns columns = {.size = sizeof columns, .fct = fct, .ideal = ideal, .progress = progress};
	uint32_t finished = 0;

	if (!fct || !ideal || !progress || !slowdown)
		exit(1);
	must(qbb_run_flows(run, 0, n, &columns));
	for (uint32_t i = 0; i < n; i++)
		if (progress[i] == QBB_FLOW_FINISHED)
			slowdown[finished++] = (double)fct[i] / (double)ideal[i];
	qsort(slowdown, finished, sizeof *slowdown, by_value);
	printf("%" PRIu32 " of %" PRIu32 " flows finished", finished, n);
	if (finished > 0)
		printf("; slowdown p50 %.2f, p99 %.2f", slowdown[finished / 2], slowdown[finished * 99 / 100]);
	puts("");
	free(fct);
	free(ideal);
	free(progress);
	free(slowdown);
}

/* The deepest queue of all ports of a node, in bytes. */
static int64_t deepest(qbb_run run, int32_t node)
{
	static qbb_counters ports[4096];
	const int n = must(qbb_run_counters(run, node, ports, 4096));
	int64_t most = 0;

	for (int i = 0; i < n && i < 4096; i++)
		if (ports[i].max_queue > most)
			most = ports[i].max_queue;
	return most;
}

int main(int argc, char **argv)
{
	qbb_scenario scenario;
	qbb_run run;
	qbb_run_info info = {.size = sizeof info};
	qbb_progress p = {.size = sizeof p};
	int64_t depth = 0;

	must(qbb_open(QBB_ABI_VERSION));
	must(argc > 1 ? qbb_scenario_load(argv[1], &scenario) : qbb_scenario_read("text", text, sizeof text - 1, &scenario));
	must(qbb_run_new(scenario, QBB_RUN_KEEP_PFC, &run));
	must(qbb_scenario_free(scenario));
	must(qbb_run_describe(run, &info));
	if (argc > 2)
		must(qbb_run_write(run, QBB_FCT_TXT, argv[2]));
	while (must(qbb_run_until(run, QBB_NEVER, 1000000))) {
		must(qbb_run_progress(run, &p));
		fprintf(stderr, "%.3f ms, %" PRId64 " of %" PRId64 " flows\n", (double)p.now / 1e9, p.ended, p.flows);
	}
	must(qbb_run_progress(run, &p));
	slowdowns(run, (uint32_t)info.flows);
	for (int32_t id = 0; id < info.nodes; id++)
		if (deepest(run, id) > depth)
			depth = deepest(run, id);
	printf("%" PRId64 " packets over a link, %" PRId64 " PFC frames, deepest queue %" PRId64 " bytes\n", p.hops, p.pfc, depth);
	must(qbb_run_finish(run));
	must(qbb_run_free(run));
	return 0;
}
