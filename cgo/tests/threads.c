/* Calls from several threads: on handles of their own, on one sender, on one network, and with
 * one thread freeing what others use. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 2000, FEW = 200 };

static qbb_scheme scheme;
static qbb_sender common;
static struct small shared;
static qbb_sender doomed[ROUNDS];
static qbb_run common_run, doomed_runs[FEW];
static qbb_node doomed_nodes[FEW];

static void *own(void *number)
{
	qbb_flow f = a_flow();
	qbb_control c;
	qbb_signal s;
	qbb_sender d;

	memset(&s, 0, sizeof s);
	s.kind = QBB_ACK;
	for (int i = 0; i < ROUNDS; i++) {
		CHECK(qbb_sender_new(scheme, &d) == 0);
		CHECK(qbb_sender_start(d, 0, &f, &c) == 0);
		s.now = 1000 + i;
		CHECK(qbb_sender_step(d, &s, &c) == 0);
		CHECK(qbb_sender_free(d) == 0);
		/* the last error is the thread's own */
		REFUSED(QBB_E_RANGE, "now is", qbb_sender_start(common, -(intptr_t)number - 1, &f, &c));
		CHECK(strtoll(qbb_last_error() + strlen("now is "), NULL, 10) == -(intptr_t)number - 1);
	}
	return NULL;
}

static void *one_sender(void *number)
{
	qbb_control c;
	qbb_signal s;

	(void)number;
	memset(&s, 0, sizeof s);
	s.now = 5000;
	s.kind = QBB_ACK;
	for (int i = 0; i < ROUNDS; i++)
		CHECK(qbb_sender_step(common, &s, &c) == 0);
	return NULL;
}

static void *one_network(void *number)
{
	qbb_action a[8];
	qbb_packet p;
	int code;

	(void)number;
	memset(&p, 0, sizeof p);
	p.dst = 1;
	p.size = 1062;
	p.payload = 1000;
	p.prio = 3;
	for (int i = 0; i < ROUNDS; i++) {
		code = qbb_node_receive(shared.sw, 1000, 0, 0, &p, a, 8);
		CHECK(code >= 0 || code == QBB_E_PENDING);
		code = qbb_node_more(shared.sw, a, 8);
		CHECK(code >= 0);
		code = qbb_node_wake(shared.host[0], 1000, 0, 0, a, 8);
		CHECK(code >= 0 || code == QBB_E_PENDING);
	}
	return NULL;
}

/* All threads advance one run and look at it. */
static void *one_run(void *number)
{
	qbb_progress p = {.size = sizeof p};
	int64_t before = 0, fct[9];
	const qbb_flow_columns columns = {.size = sizeof columns, .fct = fct};

	(void)number;
	for (int i = 0; i < ROUNDS; i++) {
		CHECK(qbb_run_until(common_run, QBB_NEVER, 3) >= 0);
		CHECK(qbb_run_progress(common_run, &p) == 0 && p.now >= before && p.ended <= p.flows);
		before = p.now;
		CHECK(qbb_run_flows(common_run, 0, 9, &columns) == p.flows);
	}
	return NULL;
}

/* Runs that are freed while others use them and their nodes. */
static void *freeing_runs(void *number)
{
	qbb_action a[4];
	int code;

	for (int i = 0; i < FEW; i++) {
		switch ((intptr_t)number % 4) {
		case 0: code = qbb_run_free(doomed_runs[i]); break;
		case 1: code = qbb_node_lost(doomed_nodes[i], 0, 0); break;
		case 2: code = qbb_run_open(doomed_runs[i], 0, 0, 0, a, 4); break;
		default: code = qbb_node_wake(doomed_nodes[i], 0, 0, 0, a, 4); break;
		}
		CHECK(code >= 0 || code == QBB_E_HANDLE || code == QBB_E_STATE || code == QBB_E_PENDING);
	}
	return NULL;
}

/* Half of the threads free what the other half steps. */
static void *freeing(void *number)
{
	qbb_control c;
	qbb_signal s;
	int code;

	memset(&s, 0, sizeof s);
	for (int i = 0; i < ROUNDS; i++) {
		if ((intptr_t)number % 2)
			code = qbb_sender_free(doomed[i]);
		else
			code = qbb_sender_step(doomed[i], &s, &c);
		CHECK(code == 0 || code == QBB_E_HANDLE || code == QBB_E_STATE);
	}
	return NULL;
}

static void together(void *(*body)(void *))
{
	pthread_t t[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
}

int main(void)
{
	qbb_flow f = a_flow();
	qbb_control c;

	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	CHECK(qbb_scheme_new("timely", NULL, &scheme) == 0);
	CHECK(qbb_sender_new(scheme, &common) == 0);
	CHECK(qbb_sender_start(common, 0, &f, &c) == 0);
	shared = make_small("hpcc");
	for (int i = 0; i < ROUNDS; i++)
		CHECK(qbb_sender_new(scheme, &doomed[i]) == 0);
	together(own);
	together(one_sender);
	together(one_network);
	together(freeing);
	common_run = a_run(0);
	together(one_run);
	CHECK(qbb_run_until(common_run, QBB_NEVER, 0) == 0 && qbb_run_free(common_run) == 0);
	for (int i = 0; i < FEW; i++) {
		doomed_runs[i] = a_run(QBB_RUN_HOSTED);
		CHECK(qbb_run_node(doomed_runs[i], 0, &doomed_nodes[i]) == 0);
	}
	together(freeing_runs);
	CHECK(qbb_sender_free(common) == 0 && qbb_scheme_free(scheme) == 0);
	CHECK(qbb_net_free(shared.net) == 0 && qbb_scheme_free(shared.scheme) == 0);
	CHECK(qbb_live() == 0);
	return 0;
}
