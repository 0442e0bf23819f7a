/* What level 1 refuses, and its messages. */
#include "check.h"

static void versions(void)
{
	qbb_scheme s = 77;

	REFUSED(QBB_E_VERSION, "qbb_open", qbb_scheme_new("hpcc", NULL, &s));
	CHECK(s == 77);
	REFUSED(QBB_E_VERSION, "build it against this library's qbb.h", qbb_open(QBB_ABI_VERSION + 1));
	REFUSED(QBB_E_VERSION, "qbb_open", qbb_scheme_new("hpcc", NULL, &s));
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	CHECK(strcmp(qbb_version(), QBB_VERSION) == 0);
}

static void names(void)
{
	qbb_scheme s;
	uint32_t n = 0;

	for (; qbb_scheme_name(n); n++) {
		CHECK(qbb_scheme_new(qbb_scheme_name(n), "", &s) == 0);
		CHECK(qbb_scheme_free(s) == 0);
	}
	CHECK(n > 5 && qbb_scheme_name(UINT32_MAX) == NULL);
	REFUSED(QBB_E_NAME, "did you mean", qbb_scheme_new("hpc", NULL, &s));
	REFUSED(QBB_E_NAME, "no scheme \"\": write none", qbb_scheme_new("", NULL, &s));
	REFUSED(QBB_E_NULL, "name", qbb_scheme_new(NULL, NULL, &s));
	REFUSED(QBB_E_NULL, "scheme", qbb_scheme_new("hpcc", NULL, NULL));
}

static void parameters(void)
{
	static const char *const bad[] = {
	        "target", "=1", "target=x", "nothing=1", "target=0.9,target=0.8", "{", "{}x", "{\"target\": null}",
	        "{\"target\": [1]}", "{\"target\": 0.9, \"target\": 0.8}", "{\"target\" 1}", "target=-1", "{\"a\":{}}",
	};
	static const char *const good[] = {
	        "", " ", "target=0.9", " target = 0.9 , ai = 50Mbps", "{}", "{\"target\": 0.9, \"ai\": \"50Mbps\", \"window\": true}",
	};
	qbb_scheme s;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(qbb_scheme_new("hpcc", bad[i], &s) == QBB_E_PARAM && !strchr(qbb_last_error(), '\n'));
	REFUSED(QBB_E_PARAM, "known: ai", qbb_scheme_new("hpcc", "nothing=1", &s));
	REFUSED(QBB_E_PARAM, "target is given twice", qbb_scheme_new("hpcc", "target=1,target=1", &s));
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(qbb_scheme_new("hpcc", good[i], &s) == 0);
		CHECK(qbb_scheme_free(s) == 0);
	}
}

static void handles(void)
{
	qbb_scheme s;
	qbb_sender d, again;
	qbb_traits t;
	qbb_flow f = a_flow();
	qbb_control c;

	CHECK(qbb_scheme_new("dcqcn", NULL, &s) == 0);
	CHECK(qbb_sender_new(s, &d) == 0);
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_free(s));
	REFUSED(QBB_E_HANDLE, "scheme", qbb_scheme_free(d));
	REFUSED(QBB_E_HANDLE, "scheme", qbb_scheme_free(0));
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_free(UINT64_MAX));
	REFUSED(QBB_E_HANDLE, "node", qbb_node_free(d));
	REFUSED(QBB_E_HANDLE, "network", qbb_net_free(s));
	REFUSED(QBB_E_NULL, "traits", qbb_scheme_traits(s, NULL));
	REFUSED(QBB_E_NULL, "sender", qbb_sender_new(s, NULL));
	CHECK(qbb_scheme_traits(s, &t) == 0 && strcmp(t.name, "dcqcn") == 0 && t.needs & QBB_NEED_ECN);
	CHECK(qbb_scheme_free(s) == 0);
	REFUSED(QBB_E_HANDLE, "scheme", qbb_scheme_free(s));
	REFUSED(QBB_E_HANDLE, "scheme", qbb_scheme_traits(s, &t));
	CHECK(qbb_sender_start(d, 0, &f, &c) == 0); /* its scheme lives on in it */
	CHECK(qbb_sender_free(d) == 0);
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_free(d));
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_start(d, 0, &f, &c));
	CHECK(qbb_scheme_new("dcqcn", NULL, &s) == 0);
	CHECK(qbb_sender_new(s, &again) == 0);
	CHECK(again != d);
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_free(d));
	CHECK(qbb_sender_free(again) == 0 && qbb_scheme_free(s) == 0);
}

static void flows(void)
{
	qbb_scheme s;
	qbb_sender d;
	qbb_flow f;
	qbb_control c;

	CHECK(qbb_scheme_new("hpcc", NULL, &s) == 0 && qbb_sender_new(s, &d) == 0);
#define BAD_FLOW(code, field, value)                                        \
	do {                                                                \
		f = a_flow();                                               \
		f.field = (value);                                          \
		REFUSED(code, #field, qbb_sender_start(d, 0, &f, &c));      \
	} while (0)
	BAD_FLOW(QBB_E_VERSION, size, 0);
	BAD_FLOW(QBB_E_VERSION, size, sizeof f + 8);
	BAD_FLOW(QBB_E_RANGE, line, 0);
	BAD_FLOW(QBB_E_RANGE, line, INT64_MAX);
	BAD_FLOW(QBB_E_RANGE, min_rate, -1);
	BAD_FLOW(QBB_E_RANGE, base_rtt, 0);
	BAD_FLOW(QBB_E_RANGE, window, -1);
	BAD_FLOW(QBB_E_RANGE, mtu, 0);
	BAD_FLOW(QBB_E_RANGE, bytes, -1);
	BAD_FLOW(QBB_E_RANGE, hops, QBB_MAX_HOPS + 1);
	BAD_FLOW(QBB_E_RANGE, timing, 2);
	BAD_FLOW(QBB_E_RANGE, timeout, -1);
	BAD_FLOW(QBB_E_RANGE, format.time_unit, -1);
	f = a_flow();
	REFUSED(QBB_E_NULL, "flow", qbb_sender_start(d, 0, NULL, &c));
	REFUSED(QBB_E_NULL, "control", qbb_sender_start(d, 0, &f, NULL));
	REFUSED(QBB_E_RANGE, "now", qbb_sender_start(d, -1, &f, &c));
	REFUSED(QBB_E_RANGE, "now", qbb_sender_start(d, QBB_TIME_MAX + 1, &f, &c));
	CHECK(qbb_sender_free(d) == 0 && qbb_scheme_free(s) == 0);
}

static void signals(void)
{
	qbb_scheme s;
	qbb_sender d;
	qbb_flow f = a_flow();
	qbb_signal good, sig;
	qbb_control c;
	qbb_hop hops[3];

	memset(&good, 0, sizeof good);
	memset(hops, 0, sizeof hops);
	good.now = 100;
	good.kind = QBB_ACK;
	CHECK(qbb_scheme_new("timely", NULL, &s) == 0 && qbb_sender_new(s, &d) == 0);
	REFUSED(QBB_E_STATE, "started", qbb_sender_step(d, &good, &c));
	CHECK(qbb_int_full(2, &f.format) == 0);
	CHECK(qbb_sender_start(d, 50, &f, &c) == 0);
#define BAD_SIGNAL(code, field, value)                              \
	do {                                                        \
		sig = good;                                         \
		sig.field = (value);                                \
		REFUSED(code, #field, qbb_sender_step(d, &sig, &c)); \
	} while (0)
	BAD_SIGNAL(QBB_E_TIME, now, 49);
	BAD_SIGNAL(QBB_E_RANGE, now, -1);
	BAD_SIGNAL(QBB_E_RANGE, now, QBB_NEVER);
	BAD_SIGNAL(QBB_E_RANGE, born, 101);
	BAD_SIGNAL(QBB_E_RANGE, kind, -1);
	BAD_SIGNAL(QBB_E_RANGE, kind, QBB_PATH + 1);
	BAD_SIGNAL(QBB_E_RANGE, bytes, -1);
	BAD_SIGNAL(QBB_E_RANGE, marked, -1);
	BAD_SIGNAL(QBB_E_RANGE, acked, -1);
	BAD_SIGNAL(QBB_E_RANGE, next, INT64_MAX);
	BAD_SIGNAL(QBB_E_RANGE, in_flight, INT64_MAX);
	BAD_SIGNAL(QBB_E_RANGE, rtt, -5);
	BAD_SIGNAL(QBB_E_RANGE, rtt, 101);
	BAD_SIGNAL(QBB_E_RANGE, host_time, -1);
	BAD_SIGNAL(QBB_E_RANGE, host_time, 101);
	BAD_SIGNAL(QBB_E_RANGE, sent_at, -1);
	BAD_SIGNAL(QBB_E_RANGE, sent_at, 101);
	BAD_SIGNAL(QBB_E_NULL, hops, (sig.n_hops = 1, (const qbb_hop *)NULL));
	BAD_SIGNAL(QBB_E_RANGE, n_hops, (sig.hops = hops, 3u));
	REFUSED(QBB_E_NULL, "signal", qbb_sender_step(d, NULL, &c));
	REFUSED(QBB_E_NULL, "control", qbb_sender_step(d, &good, NULL));
	CHECK(qbb_sender_step(d, &good, &c) == 0 && c.rate > 0 && c.rate <= LINE);
	CHECK(qbb_sender_free(d) == 0 && qbb_scheme_free(s) == 0);
}

static void formats(void)
{
	qbb_int_format f;

	REFUSED(QBB_E_RANGE, "max_hops", qbb_int_full(0, &f));
	REFUSED(QBB_E_RANGE, "max_hops", qbb_int_full(QBB_MAX_HOPS + 1, &f));
	REFUSED(QBB_E_RANGE, "multi", qbb_int_quantised(0, &f));
	REFUSED(QBB_E_RANGE, "multi", qbb_int_quantised(1048577, &f));
	REFUSED(QBB_E_NULL, "format", qbb_int_full(1, NULL));
	REFUSED(QBB_E_NULL, "format", qbb_int_quantised(1, NULL));
	CHECK(qbb_int_quantised(2, &f) == 0 && f.max_hops == 5 && f.tx_unit == 256 && f.queue_unit == 160);
	CHECK(qbb_int_quantised(1048576, &f) == 0 && f.tx_unit == 134217728); /* as switch.int_multi may have it */
}

int main(void)
{
	CHECK(strcmp(qbb_last_error(), "") == 0);
	versions();
	names();
	parameters();
	handles();
	flows();
	signals();
	formats();
	CHECK(qbb_live() == 0);
	return 0;
}
