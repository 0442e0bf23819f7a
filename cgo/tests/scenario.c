/* What level 3 refuses, and that a run gives the same results however it is advanced. */
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define BUSY "topology: star:n=6\nworkload: none\nincast: 5x20KB@20us\nduration: 50us\nbuffer: 500KB\ncc: dcqcn\n"
#define TIGHT \
	"topology: star:n=6\nworkload: none\npatterns: one-many:200KB\nbuffer: 100KB\ncc: none\nflow_control: none\n" \
	"host: {recovery: selective}\n"

enum { FLOWS = 32, ROOM = 16 };

static char folder[] = "/tmp/qbb-scenario-XXXXXX";

static qbb_scenario of_text(const char *text)
{
	qbb_scenario s;

	CHECK(qbb_scenario_read("text", text, strlen(text), &s) == 0);
	return s;
}

static qbb_run of_options(const char *text, uint32_t options)
{
	const qbb_scenario s = of_text(text);
	qbb_run run;

	CHECK(qbb_run_new(s, options, &run) == 0 && qbb_scenario_free(s) == 0);
	return run;
}

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void scenarios(void)
{
	static const char deep[] = "cc: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[";
	qbb_scenario s = 77, again;
	char small[8], text[8192], more[8192];
	int n;

	REFUSED(QBB_E_VERSION, "qbb_open", qbb_scenario_read(NULL, NULL, 0, &s));
	CHECK(s == 77 && qbb_open(QBB_ABI_VERSION) == 0);
	REFUSED(QBB_E_NULL, "scenario", qbb_scenario_read(NULL, NULL, 0, NULL));
	REFUSED(QBB_E_NULL, "text", qbb_scenario_read(NULL, NULL, 1, &s));
	REFUSED(QBB_E_RANGE, "n is", qbb_scenario_read(NULL, text, SIZE_MAX, &s));
	REFUSED(QBB_E_NULL, "path", qbb_scenario_load(NULL, &s));
	REFUSED(QBB_E_SCENARIO, "the path is empty: name a scenario", qbb_scenario_load("", &s));
	REFUSED(QBB_E_SCENARIO, "no such file", qbb_scenario_load("/nowhere/at/all.yaml", &s));
	REFUSED(QBB_E_SCENARIO, "x.yaml:2: unknown key \"lod\"", qbb_scenario_read("x.yaml", "\nlod: 3\n", 8, &s));
	REFUSED(QBB_E_SCENARIO, "scenario:1: not UTF-8", qbb_scenario_read(NULL, "\xff\xfe", 2, &s));
	REFUSED(QBB_E_SCENARIO, "scenario:2: unknown key \"lod\"", qbb_scenario_read("", "\nlod: 3\n", 8, &s));
	REFUSED(QBB_E_SCENARIO, "nested too deeply", qbb_scenario_read(NULL, deep, sizeof deep - 1, &s));
	CHECK(s == 77);
	CHECK(qbb_scenario_read(NULL, NULL, 0, &s) == 0);
	REFUSED(QBB_E_NULL, "key", qbb_scenario_set(s, NULL, "1"));
	REFUSED(QBB_E_NULL, "value", qbb_scenario_set(s, "load", NULL));
	REFUSED(QBB_E_SCENARIO, "load", qbb_scenario_set(s, "load", "much"));
	REFUSED(QBB_E_SCENARIO, "did you mean", qbb_scenario_set(s, "loda", "0.5"));
	REFUSED(QBB_E_SCENARIO, "a key without a name; known: profile", qbb_scenario_set(s, "", "0.5"));
	CHECK(qbb_scenario_set(s, "load", "0.25") == 0 && qbb_scenario_set(s, "cc.params.target", "0.9") == 0);
	REFUSED(QBB_E_NULL, "text", qbb_scenario_print(s, NULL, 5));
	n = qbb_scenario_print(s, NULL, 0);
	CHECK(n > 1000 && n < (int)sizeof text && qbb_scenario_print(s, small, sizeof small) == n);
	CHECK(strlen(small) == sizeof small - 1);
	CHECK(qbb_scenario_print(s, text, sizeof text) == n && (int)strlen(text) == n && strstr(text, "load: 0.25"));
	CHECK(qbb_scenario_print(s, text, SIZE_MAX) == n && (int)strlen(text) == n);
	again = of_text(text);
	CHECK(qbb_scenario_print(again, more, sizeof more) == n && strcmp(text, more) == 0);
	CHECK(qbb_scenario_set(s, "cc", "nothing") == 0);
	REFUSED(QBB_E_SCENARIO, "nothing", qbb_scenario_print(s, text, sizeof text));
	CHECK(qbb_scenario_free(s) == 0 && qbb_scenario_free(again) == 0);
	REFUSED(QBB_E_HANDLE, "scenario", qbb_scenario_free(s));
	REFUSED(QBB_E_HANDLE, "scenario", qbb_scenario_set(s, "load", "1"));
	REFUSED(QBB_E_HANDLE, "scenario", qbb_scenario_print(s, text, sizeof text));
}

static void making(void)
{
	qbb_scenario s = of_text("topology: nowhere.txt\n");
	qbb_run run = 77;
	FILE *f = fopen(in_folder("flows"), "w");

	CHECK(f && fwrite("PAR1PAR1", 1, 8, f) == 8 && fclose(f) == 0);
	REFUSED(QBB_E_SCENARIO, "nowhere.txt", qbb_run_new(s, 0, &run));
	CHECK(qbb_scenario_set(s, "topology", "star:n=4") == 0);
	REFUSED(QBB_E_NULL, "run", qbb_run_new(s, 0, NULL));
	REFUSED(QBB_E_RANGE, "options", qbb_run_new(s, 8, &run));
	REFUSED(QBB_E_HANDLE, "scenario", qbb_run_new(0, 0, &run));
	CHECK(qbb_scenario_set(s, "flows", in_folder("flows")) == 0);
	REFUSED(QBB_E_SCENARIO, "Parquet cannot be read here", qbb_run_new(s, 0, &run));
	CHECK(run == 77 && qbb_scenario_free(s) == 0);
}

/* Nodes and links from the caller replace the key. */
static void topologies(void)
{
	const uint8_t kinds[3] = {0, 0, 1};
	qbb_link links[2] = {{.a = 0, .b = 2, .rate = LINE, .delay = 1000}, {.a = 1, .b = 2, .rate = LINE / 4, .delay = 5000}};
	qbb_scenario s = of_text("workload: none\n");
	qbb_run_info info = {.size = sizeof info};
	qbb_run_link out[2];
	qbb_run run;

	REFUSED(QBB_E_NULL, "kinds", qbb_scenario_topology(s, NULL, 3, links, 2));
	REFUSED(QBB_E_NULL, "links", qbb_scenario_topology(s, kinds, 3, NULL, 2));
	REFUSED(QBB_E_RANGE, "nodes", qbb_scenario_topology(s, kinds, 0, links, 2));
	REFUSED(QBB_E_RANGE, "n_links", qbb_scenario_topology(s, kinds, 3, links, 0));
	REFUSED(QBB_E_HANDLE, "scenario", qbb_scenario_topology(0, kinds, 3, links, 2));
	links[1].down = 1;
	REFUSED(QBB_E_RANGE, "link 1 is down", qbb_scenario_topology(s, kinds, 3, links, 2));
	links[1].down = 0;
	CHECK(qbb_scenario_topology(s, kinds, 3, links, 2) == 0 && qbb_run_new(s, 0, &run) == 0);
	CHECK(qbb_run_describe(run, &info) == 0 && info.nodes == 3 && info.hosts == 2);
	CHECK(qbb_run_links(run, out, 2) == 2 && out[1].rate == LINE / 4 && out[1].delay == 5000 && out[1].b_port == 1);
	CHECK(qbb_run_free(run) == 0 && qbb_scenario_free(s) == 0);
}

static qbb_scenario_flow a_row(int32_t src, int32_t dst, int64_t bytes, int64_t start)
{
	return (qbb_scenario_flow){.size = sizeof(qbb_scenario_flow), .src = src, .dst = dst, .dst_port = 100, .prio = 3, .bytes = bytes, .start = start};
}

/* Runs a scenario to its end and copies its fct.txt to text; frees it. */
static qbb_run finished(qbb_scenario s, char *text, size_t cap)
{
	qbb_run run;
	FILE *f;
	size_t n;

	CHECK(qbb_run_new(s, 0, &run) == 0 && qbb_scenario_free(s) == 0);
	CHECK(qbb_run_write(run, QBB_FCT_TXT, in_folder("fct.txt")) == 0);
	CHECK(qbb_run_until(run, QBB_NEVER, 0) == 0 && qbb_run_finish(run) == 0);
	f = fopen(in_folder("fct.txt"), "r");
	CHECK(f && (n = fread(text, 1, cap - 1, f)) > 100 && fclose(f) == 0);
	text[n] = '\0';
	CHECK(unlink(in_folder("fct.txt")) == 0);
	return run;
}

/* Flows from the caller run as those of a file with the same rows. */
static void added(void)
{
	static const char keys[] = "topology: star:n=5\ncc: hpcc\ncc_by_tag: {bulk: dcqcn}\nclass_by_tag: {web: 5}\n";
	static const char rows[] = "src,dst,bytes,start_ns,prio,src_port,dst_port,tag,scheme,after\n0,3,100000,2000,3,0,100,bulk,,\n"
	                           "1,3,50000,3000.5,2,77,88,,dctcp,\n3,1,20000,500,3,0,100,web,,0 1\n";
	const uint32_t first_two[] = {1, 0};
	qbb_scenario_flow bulk = a_row(0, 3, 100000, 2000000), small = a_row(1, 3, 50000, 3000500), last = a_row(3, 1, 20000, 500000);
	char by_file[1024], by_calls[1024], tag[8];
	uint8_t prio[3], scheme[3];
	int32_t after[3];
	const qbb_flow_columns columns = {.size = sizeof columns, .prio = prio, .scheme = scheme, .after = after};
	qbb_scenario s = of_text(keys);
	qbb_run run;
	FILE *f = fopen(in_folder("rows"), "w");

	CHECK(f && fputs(rows, f) >= 0 && fclose(f) == 0);
	CHECK(qbb_scenario_set(s, "flows", in_folder("rows")) == 0);
	CHECK(qbb_run_free(finished(s, by_file, sizeof by_file)) == 0 && unlink(in_folder("rows")) == 0);

	bulk.tag = "bulk";
	small.prio = 2;
	small.src_port = 77;
	small.dst_port = 88;
	small.tag = "";
	small.scheme = "dctcp";
	last.tag = "web";
	last.after = first_two;
	last.n_after = 2;
	s = of_text(keys);
	CHECK(qbb_scenario_add(s, &small) == 0 && qbb_scenario_add(s, &bulk) == 1 && qbb_scenario_add(s, &last) == 2); /* not by start */
	CHECK(qbb_run_new(s, QBB_RUN_HOSTED, &run) == 0);
	REFUSED(QBB_E_STATE, "waits for others", qbb_run_open(run, 0, 0, 2, NULL, 0));
	CHECK(qbb_run_free(run) == 0);
	run = finished(s, by_calls, sizeof by_calls);
	CHECK(strcmp(by_file, by_calls) == 0);
	CHECK(qbb_run_added(run, 0) == 1 && qbb_run_added(run, 1) == 0 && qbb_run_added(run, 2) == 2);
	REFUSED(QBB_E_RANGE, "added is 3", qbb_run_added(run, 3));
	CHECK(qbb_run_flows(run, 0, 3, &columns) == 3 && prio[0] == 3 && prio[1] == 2 && prio[2] == 5);
	CHECK(scheme[0] == 1 && scheme[1] == 2 && scheme[2] == 0 && after[0] == -1 && after[2] == 0);
	CHECK(qbb_run_tag(run, 2, tag, sizeof tag) == 3 && strcmp(tag, "web") == 0);
	CHECK(qbb_run_free(run) == 0);
	REFUSED(QBB_E_HANDLE, "run", qbb_run_added(run, 0));
}

/* What is refused when a flow is added, and what when the scenario is run. */
static void wrong_flows(void)
{
	const uint32_t itself = 1, twice[] = {0, 0};
	const qbb_scenario_flow good = a_row(0, 1, 1000, 0);
	char long_tag[300] = "";
	qbb_scenario s = of_text("topology: star:n=3\n");
	qbb_scenario_flow f = good;
	qbb_run run = 77;

#define BAD_FLOW(code, word, ...)                                \
	do {                                                     \
		f = good;                                        \
		__VA_ARGS__;                                     \
		REFUSED(code, word, qbb_scenario_add(s, &f));    \
		CHECK(!strchr(qbb_last_error(), '\n'));          \
	} while (0)
	REFUSED(QBB_E_HANDLE, "scenario", qbb_scenario_add(0, &f));
	REFUSED(QBB_E_NULL, "flow", qbb_scenario_add(s, NULL));
	BAD_FLOW(QBB_E_VERSION, "qbb_scenario_flow.size", f.size--);
	BAD_FLOW(QBB_E_RANGE, "src is -1", f.src = -1);
	BAD_FLOW(QBB_E_RANGE, "dst is", f.dst = INT32_MAX);
	BAD_FLOW(QBB_E_RANGE, "prio is 0; it must be 1 to 7", f.prio = 0);
	BAD_FLOW(QBB_E_RANGE, "prio", f.prio = 8);
	BAD_FLOW(QBB_E_RANGE, "bytes", f.bytes = 0);
	BAD_FLOW(QBB_E_RANGE, "start", f.start = -1);
	BAD_FLOW(QBB_E_RANGE, "start", f.start = QBB_TIME_MAX + 1);
	BAD_FLOW(QBB_E_NULL, "after", f.n_after = 1);
	BAD_FLOW(QBB_E_SCENARIO, "added flow 0: flow from a host to itself \"0\"", f.dst = 0);
	BAD_FLOW(QBB_E_SCENARIO, "added flow 0: tag is not UTF-8", f.tag = "\xff");
	BAD_FLOW(QBB_E_SCENARIO, "added flow 0: tag is too long", memset(long_tag, 'x', sizeof long_tag - 1), f.tag = long_tag);
	BAD_FLOW(QBB_E_SCENARIO, "added flow 0: scheme is too long or has control", f.scheme = "a\nb");
	CHECK(qbb_scenario_add(s, &good) == 0); /* none of these counts */
	BAD_FLOW(QBB_E_RANGE, "after[0] is 1; it must be the number of an added flow, of which there are 1", f.after = &itself, f.n_after = 1);
	BAD_FLOW(QBB_E_SCENARIO, "added flow 1: after names a flow twice", f.after = twice, f.n_after = 2);

	f = good;
	f.scheme = "hpc";
	CHECK(qbb_scenario_add(s, &f) == 1);
	REFUSED(QBB_E_SCENARIO, "added flow 1: no scheme \"hpc\"; did you mean hpcc", qbb_run_new(s, 0, &run));
	CHECK(qbb_scenario_free(s) == 0);
	s = of_text("topology: star:n=3\n");
	f = a_row(0, 3, 1000, 0);
	CHECK(qbb_scenario_add(s, &f) == 0);
	REFUSED(QBB_E_SCENARIO, "added flow 0: flow end is a switch: \"3\"", qbb_run_new(s, 0, &run));
	CHECK(run == 77 && qbb_scenario_set(s, "topology", "star:n=4") == 0 && qbb_run_new(s, QBB_RUN_HOSTED, &run) == 0);
	CHECK(qbb_scenario_add(s, &good) == 1 && qbb_run_added(run, 0) == 0); /* a run keeps to what the scenario was */
	REFUSED(QBB_E_RANGE, "added", qbb_run_added(run, 1));
	CHECK(qbb_run_free(run) == 0 && qbb_scenario_free(s) == 0);
}

/* Calls with wrong arguments on a run of each kind; none changes anything. */
static void refusals(void)
{
	qbb_run own = of_options(BUSY, 0), hosted = of_options(BUSY, QBB_RUN_HOSTED);
	qbb_run_info info = {.size = sizeof info};
	qbb_progress p = {.size = sizeof p - 1};
	qbb_flow_columns fc = {.size = 1};
	qbb_pfc_columns pc = {.size = sizeof pc};
	qbb_node node;
	char why[64], too_long[300] = "", path[600];

	REFUSED(QBB_E_HANDLE, "run", qbb_run_describe(0, &info));
	REFUSED(QBB_E_NULL, "info", qbb_run_describe(own, NULL));
	info.size = 3;
	REFUSED(QBB_E_VERSION, "qbb_run_info", qbb_run_describe(own, &info));
	REFUSED(QBB_E_VERSION, "qbb_progress", qbb_run_progress(own, &p));
	REFUSED(QBB_E_NULL, "progress", qbb_run_progress(own, NULL));
	REFUSED(QBB_E_VERSION, "qbb_flow_columns", qbb_run_flows(own, 0, 1, &fc));
	REFUSED(QBB_E_NULL, "columns", qbb_run_flows(own, 0, 1, NULL));
	REFUSED(QBB_E_NULL, "columns", qbb_run_pfc(own, 0, 1, NULL));
	REFUSED(QBB_E_STATE, "QBB_RUN_KEEP_PFC", qbb_run_pfc(own, 0, 1, &pc));
	REFUSED(QBB_E_NULL, "links", qbb_run_links(own, NULL, 1));
	REFUSED(QBB_E_NULL, "kinds", qbb_run_kinds(own, NULL, 1));
	REFUSED(QBB_E_NULL, "counters", qbb_run_counters(own, 0, NULL, 1));
	REFUSED(QBB_E_RANGE, "node", qbb_run_counters(own, 7, NULL, 0));
	REFUSED(QBB_E_RANGE, "node", qbb_run_histogram(own, -1, 0, NULL, 0));
	REFUSED(QBB_E_RANGE, "port", qbb_run_histogram(own, 6, 6, NULL, 0));
	REFUSED(QBB_E_RANGE, "a host", qbb_run_histogram(own, 0, 0, NULL, 0));
	REFUSED(QBB_E_RANGE, "flow", qbb_run_tag(own, UINT32_MAX, NULL, 0));
	REFUSED(QBB_E_RANGE, "flow", qbb_run_why(own, UINT32_MAX, NULL, 0));
	CHECK(qbb_run_why(own, 9, why, sizeof why) > 0 && strstr(why, "had not started"));
	CHECK(qbb_run_why(hosted, 9, why, sizeof why) > 0 && strstr(why, "starts after the end"));
	REFUSED(QBB_E_RANGE, "i is", qbb_run_scheme(own, 1, NULL, 0));
	REFUSED(QBB_E_RANGE, "until", qbb_run_until(own, -1, 0));
	REFUSED(QBB_E_RANGE, "until", qbb_run_until(own, QBB_TIME_MAX + 1, 0));
	REFUSED(QBB_E_RANGE, "events", qbb_run_until(own, 0, -1));
	REFUSED(QBB_E_RANGE, "file", qbb_run_write(own, 4, "x"));
	REFUSED(QBB_E_STATE, "queue_sampling", qbb_run_write(own, QBB_QLEN_TXT, in_folder("qlen.txt")));
	REFUSED(QBB_E_STATE, "trace", qbb_run_write(own, QBB_MIX_TR, in_folder("mix.tr")));
	REFUSED(QBB_E_FILE, "/dev/null", qbb_run_write(own, QBB_FCT_TXT, "/dev/null/fct.txt"));
	memset(too_long, 'x', sizeof too_long - 1);
	snprintf(path, sizeof path, "%s/%s", in_folder("new"), too_long);
	REFUSED(QBB_E_FILE, "too long", qbb_run_write(own, QBB_FCT_TXT, path));
	CHECK(access(in_folder("new"), F_OK) != 0); /* no folder is left for a file that is not there */
	REFUSED(QBB_E_FILE, "path is empty: name a file", qbb_run_write(own, QBB_FCT_TXT, ""));
	REFUSED(QBB_E_FILE, "this is a folder's name: add a file's", qbb_run_write(own, QBB_FCT_TXT, "results/"));
	CHECK(qbb_run_write(own, QBB_FCT_TXT, NULL) == 1); /* the scenario names none */
	CHECK(qbb_run_write(own, QBB_FCT_TXT, in_folder("fct.txt")) == 0);
	REFUSED(QBB_E_STATE, "before", qbb_run_write(own, QBB_FCT_TXT, in_folder("again.txt")));
	REFUSED(QBB_E_FILE, "two outputs", qbb_run_write(own, QBB_PFC_TXT, in_folder("./fct.txt")));
	CHECK(qbb_run_until(own, 1000000, 0) == 1);
	REFUSED(QBB_E_TIME, "until", qbb_run_until(own, 999999, 0));
	REFUSED(QBB_E_STATE, "has begun", qbb_run_write(own, QBB_FCT_TXT, in_folder("late.txt")));
	REFUSED(QBB_E_STATE, "not hosted", qbb_run_node(own, 0, &node));
	REFUSED(QBB_E_STATE, "not hosted", qbb_run_open(own, 0, 0, 0, NULL, 0));
	REFUSED(QBB_E_STATE, "not hosted", qbb_run_reroute(own, 0));
	REFUSED(QBB_E_STATE, "not hosted", qbb_run_sample(own, 0));
	REFUSED(QBB_E_STATE, "hosted", qbb_run_until(hosted, 0, 0));
	REFUSED(QBB_E_STATE, "no events", qbb_run_sample(hosted, 0));
	CHECK(qbb_run_free(own) == 0 && qbb_run_free(hosted) == 0);
	REFUSED(QBB_E_HANDLE, "run", qbb_run_free(own));
	REFUSED(QBB_E_HANDLE, "run", qbb_run_until(own, 0, 0));
}

/* The results at the end of a run. */
struct outcome {
	int64_t fct[FLOWS], ideal[FLOWS], bytes[FLOWS];
	uint8_t progress[FLOWS];
	int flows, pfc;
	int64_t at[1 << 12];
	char text[1 << 14];
};

static void look(qbb_run run, struct outcome *o)
{
	const qbb_flow_columns fc = {.size = sizeof fc, .fct = o->fct, .ideal = o->ideal, .bytes = o->bytes, .progress = o->progress};
	const qbb_pfc_columns pc = {.size = sizeof pc, .at = o->at};
	FILE *f;

	o->flows = qbb_run_flows(run, 0, FLOWS, &fc);
	o->pfc = qbb_run_pfc(run, 0, 1 << 12, &pc);
	CHECK(o->flows > 5 && o->pfc > 5);
	CHECK(qbb_run_flows(run, (uint32_t)o->flows, 5, &fc) == 0 && qbb_run_flows(run, UINT32_MAX, UINT32_MAX, &fc) == 0);
	CHECK(access(in_folder("fct.txt"), F_OK) != 0); /* not before it is complete */
	CHECK(qbb_run_finish(run) == 0);
	f = fopen(in_folder("fct.txt"), "r");
	CHECK(f && fread(o->text, 1, sizeof o->text - 1, f) > 100 && fclose(f) == 0);
	CHECK(unlink(in_folder("fct.txt")) == 0);
}

/* What a switch without room has done with packets. */
static void trimming(void)
{
	int64_t count[2][2] = {{0}}; /* with trimming: trimmed, dropped */
	qbb_counters c[6];

	for (int trim = 0; trim < 2; trim++) {
		qbb_run run = of_options(trim ? TIGHT "switch: {trim: true}\n" : TIGHT, 0);

		CHECK(qbb_run_until(run, QBB_NEVER, 0) == 0 && qbb_run_counters(run, 6, c, 6) == 6);
		for (int i = 0; i < 6; i++) {
			count[trim][0] += c[i].trimmed;
			count[trim][1] += c[i].dropped_packets;
			CHECK(c[i].no_route == 0 && c[i].flushed == 0);
		}
		CHECK(qbb_run_free(run) == 0);
	}
	CHECK(count[0][0] == 0 && count[0][1] > 0 && count[1][0] > 0 && count[1][1] == 0);
}

/* Cut into calls by events and by time, a run gives the same as in one call. */
static void pieces(void)
{
	static struct outcome whole, cut;
	qbb_run run = of_options(BUSY, QBB_RUN_KEEP_PFC);
	qbb_progress p = {.size = sizeof p};
	uint64_t bins[512], samples = 0;
	qbb_counters c[6];
	char name[32];

	CHECK(qbb_run_write(run, QBB_FCT_TXT, in_folder("fct.txt")) == 0);
	CHECK(qbb_run_until(run, QBB_NEVER, 0) == 0 && qbb_run_until(run, QBB_NEVER, 0) == 0);
	look(run, &whole);
	CHECK(qbb_run_progress(run, &p) == 0 && p.over && p.ended == whole.flows && p.pfc == whole.pfc && p.events > 1000);
	for (int i = 0; i < whole.flows; i++)
		CHECK(whole.progress[i] == QBB_FLOW_FINISHED && whole.fct[i] >= whole.ideal[i] && whole.bytes[i] == 20000);
	CHECK(qbb_run_histogram(run, 6, 0, bins, 512) > 0);
	for (int i = 0; i < qbb_run_histogram(run, 6, 0, NULL, 0); i++)
		samples += bins[i];
	CHECK(samples > 100);
	CHECK(qbb_run_counters(run, 6, c, 6) == 6 && c[0].rx_packets > 0 && c[0].pauses_sent > 0);
	CHECK(qbb_run_tag(run, 0, name, sizeof name) == 6 && strcmp(name, "incast") == 0);
	CHECK(qbb_run_why(run, 0, name, sizeof name) == 0 && name[0] == '\0');
	CHECK(qbb_run_scheme(run, 0, name, 3) == 5 && strcmp(name, "dc") == 0);
	CHECK(qbb_run_free(run) == 0);

	run = of_options(BUSY, QBB_RUN_KEEP_PFC);
	CHECK(qbb_run_write(run, QBB_FCT_TXT, in_folder("fct.txt")) == 0);
	for (int64_t t = 0, more = 1; more; t += 777777) {
		CHECK((more = qbb_run_until(run, t, 7)) >= 0);
		CHECK(!more || (more = qbb_run_until(run, t, 0)) >= 0);
	}
	look(run, &cut);
	CHECK(memcmp(&whole, &cut, sizeof whole) == 0);
	CHECK(qbb_run_free(run) == 0);

	run = of_options(BUSY, 0); /* freed unfinished: no file is left */
	CHECK(qbb_run_write(run, QBB_FCT_TXT, in_folder("fct.txt")) == 0 && qbb_run_free(run) == 0);
	CHECK(access(in_folder("fct.txt"), F_OK) != 0);

	run = of_options(BUSY, 0); /* a file that cannot get its name: no later call says that all is well */
	CHECK(qbb_run_write(run, QBB_FCT_TXT, in_folder("fct.txt")) == 0 && mkdir(in_folder("fct.txt"), 0777) == 0);
	REFUSED(QBB_E_FILE, "fct.txt", qbb_run_finish(run));
	REFUSED(QBB_E_FILE, "fct.txt", qbb_run_finish(run));
	CHECK(rmdir(in_folder("fct.txt")) == 0 && qbb_run_free(run) == 0);
}

/* A hosted run describes what its host needs, and keeps its nodes, flows and routes to itself. */
static void hosting(void)
{
	qbb_run run = of_options(BUSY "links: [{at: 1us, down: 0-6}]\nloss: 0.5\n", QBB_RUN_HOSTED);
	qbb_run_info info = {.size = sizeof info};
	qbb_run_link links[6];
	qbb_link_change change;
	qbb_message m = {.size = sizeof m, .src = 1, .dst = 2, .prio = 3, .bytes = 1000};
	qbb_node node, again;
	qbb_action a[ROOM];
	qbb_flow_config f = a_message(1000);
	qbb_topology none = 0;
	const uint16_t via = 0;
	uint32_t flow;
	uint8_t kinds[8];
	int lost = 0;

	CHECK(qbb_run_describe(run, &info) == 0 && info.nodes == 7 && info.hosts == 6 && info.links == 6 && info.changes == 1);
	CHECK(qbb_run_kinds(run, kinds, 8) == 7 && kinds[5] == 0 && kinds[6] == 1);
	CHECK(qbb_run_links(run, links, 6) == 6 && links[2].a_port + links[2].b_port == 2 && links[2].loss > 0.4 && links[2].rate > 0);
	CHECK(qbb_run_changes(run, &change, 1) == 1 && change.at == 1000000 && change.link == 0 && change.up == 0);
	REFUSED(QBB_E_RANGE, "id", qbb_run_node(run, 7, &node));
	REFUSED(QBB_E_NULL, "node", qbb_run_node(run, 0, NULL));
	CHECK(qbb_run_node(run, 1, &node) == 0 && qbb_run_node(run, 1, &again) == 0 && node == again);
	REFUSED(QBB_E_STATE, "a run's", qbb_node_free(node));
	REFUSED(QBB_E_STATE, "qbb_run_open", qbb_nic_open(node, 0, 0, &f, NULL, a, ROOM));
	REFUSED(QBB_E_STATE, "a run's", qbb_node_route(node, 2, &via, 1));
	REFUSED(QBB_E_HANDLE, "topology", qbb_node_routes(node, none));
	REFUSED(QBB_E_NULL, "message", qbb_run_add(run, NULL, &flow));
	REFUSED(QBB_E_NULL, "flow", qbb_run_add(run, &m, NULL));
#define BAD_MESSAGE(code, field, value)                       \
	do {                                                  \
		qbb_message bad = m;                          \
		bad.field = (value);                          \
		REFUSED(code, #field, qbb_run_add(run, &bad, &flow)); \
	} while (0)
	BAD_MESSAGE(QBB_E_VERSION, size, 0);
	BAD_MESSAGE(QBB_E_RANGE, src, 7);
	BAD_MESSAGE(QBB_E_RANGE, dst, 6);
	BAD_MESSAGE(QBB_E_RANGE, dst, 1);
	BAD_MESSAGE(QBB_E_RANGE, prio, 0);
	BAD_MESSAGE(QBB_E_RANGE, scheme, 1);
	BAD_MESSAGE(QBB_E_RANGE, bytes, 0);
	BAD_MESSAGE(QBB_E_RANGE, start, -1);
	CHECK(qbb_run_add(run, &m, &flow) == 0 && flow == (uint32_t)info.flows);
	REFUSED(QBB_E_RANGE, "flow", qbb_run_open(run, 5, 5, flow + 1, a, ROOM));
	REFUSED(QBB_E_RANGE, "born", qbb_run_open(run, 5, 6, flow, a, ROOM));
	CHECK(qbb_run_open(run, 5, 5, flow, a, ROOM) >= 1 && a[0].kind == QBB_TRANSMIT && a[0].packet.dst == 2);
	REFUSED(QBB_E_STATE, "has been opened", qbb_run_open(run, 5, 5, flow, a, ROOM));
	REFUSED(QBB_E_TIME, "now", qbb_run_reroute(run, 4)); /* a run has one clock */
	REFUSED(QBB_E_RANGE, "port", qbb_node_lost(node, 5, 1));
	for (int i = 0; i < 1000; i++)
		lost += qbb_node_lost(node, 5, 0);
	CHECK(lost > 400 && lost < 600);
	CHECK(qbb_node_set_link(node, 6, 6, 0, 0, a, ROOM) >= 0 && qbb_run_reroute(run, 6) == 0);
	CHECK(qbb_node_lost(node, 6, 0) == 1);
	CHECK(qbb_run_free(run) == 0);
	REFUSED(QBB_E_HANDLE, "node", qbb_node_lost(node, 7, 0));
}

/* A run whose flows all come from the host has the schemes that it names by tag. */
static void tags(void)
{
	qbb_run run = of_options("topology: star:n=3\nworkload: none\ncc: hpcc\n"
	                         "cc_by_tag: {bulk: {name: dcqcn, params: {g: 0.01}}, web: dcqcn, same: hpcc}\n", QBB_RUN_HOSTED);
	qbb_run_info info = {.size = sizeof info};
	qbb_message m = {.size = sizeof m, .src = 0, .dst = 2, .prio = 3, .bytes = 1000};
	qbb_progress p = {.size = sizeof p};
	char name[16];
	uint32_t flow;
	uint8_t scheme[2];
	const qbb_flow_columns columns = {.size = sizeof columns, .scheme = scheme};

	CHECK(qbb_run_describe(run, &info) == 0 && info.schemes == 3 && info.flows == 0);
	CHECK(qbb_run_progress(run, &p) == 0 && p.flows == 0 && !p.over); /* its host may add flows */
	CHECK(qbb_run_tagged(run, "same") == 0 && qbb_run_tagged(run, "bulk") == 1 && qbb_run_tagged(run, "web") == 2);
	CHECK(qbb_run_scheme(run, 2, name, sizeof name) == 5 && strcmp(name, "dcqcn") == 0);
	REFUSED(QBB_E_NAME, "cc_by_tag", qbb_run_tagged(run, "wbe"));
	REFUSED(QBB_E_NAME, "cc_by_tag", qbb_run_tagged(run, ""));
	CHECK(qbb_run_add(run, &m, &flow) == 0);
	m.scheme = (uint8_t)qbb_run_tagged(run, "web");
	CHECK(qbb_run_add(run, &m, &flow) == 0 && flow == 1);
	CHECK(qbb_run_flows(run, 0, 2, &columns) == 2 && scheme[0] == 0 && scheme[1] == 2);
	CHECK(qbb_run_free(run) == 0);
}

/* Patterns run in groups of hosts, and schemes follow the tags that these have chosen. */
static void groups(void)
{
	static const char text[] = "topology: star:n=6\nworkload: none\ncc: hpcc\ncc_by_tag: {ring: dcqcn, pair1: dctcp}\n"
				   "patterns: ['ring-all-gather:3KB,hosts=5,1,3,tag=ring', 'one-one:1KB,group=2,tag=pair{group}']\n";
	qbb_scenario s;
	qbb_run run;
	uint8_t scheme[9];
	const qbb_flow_columns columns = {.size = sizeof columns, .scheme = scheme};
	int flows[3] = {0}; /* by scheme */

	CHECK(qbb_scenario_read(NULL, text, strlen(text), &s) == 0 && qbb_run_new(s, 0, &run) == 0);
	CHECK(qbb_run_flows(run, 0, 9, &columns) == 9);
	for (int i = 0; i < 9; i++)
		flows[scheme[i]]++;
	CHECK(flows[0] == 2 && flows[qbb_run_tagged(run, "ring")] == 6 && flows[qbb_run_tagged(run, "pair1")] == 1);
	CHECK(qbb_run_free(run) == 0);
	CHECK(qbb_scenario_set(s, "patterns", "permutation:1KB,hosts=0-6") == 0);
	REFUSED(QBB_E_SCENARIO, "hosts: node 6 is a switch", qbb_run_new(s, 0, &run));
	CHECK(qbb_scenario_free(s) == 0);
}

/* A run that would never end is ended, with a note. */
static void stalled(void)
{
	qbb_run run = of_options("topology: star:n=4\nworkload: none\npatterns: [permutation:100KB]\ncc: none\nstop: never\n"
				 "links: [{at: 2us, down: 0-4}]\noptions: {retries: 0}\n", 0);
	qbb_progress p = {.size = sizeof p};
	char text[256];

	CHECK(qbb_run_notes(run, text, sizeof text) == 0 && text[0] == '\0');
	CHECK(qbb_run_until(run, QBB_NEVER, 0) == 0);
	CHECK(qbb_run_progress(run, &p) == 0 && p.over && p.ended > 0 && p.ended < p.flows);
	CHECK(qbb_run_notes(run, text, sizeof text) > 0 && strstr(text, "packets move, but for"));
	CHECK(qbb_run_free(run) == 0);

	run = of_options(BUSY, QBB_RUN_HOSTED);
	CHECK(qbb_run_notes(run, text, sizeof text) == 0);
	CHECK(qbb_run_free(run) == 0);
}

int main(void)
{
	CHECK(mkdtemp(folder));
	scenarios();
	making();
	topologies();
	added();
	wrong_flows();
	refusals();
	trimming();
	pieces();
	groups();
	stalled();
	hosting();
	tags();
	CHECK(unlink(in_folder("flows")) == 0);
	CHECK(rmdir(folder) == 0); /* nothing is left, hidden files included */
	CHECK(qbb_live() == 0);
	return 0;
}
