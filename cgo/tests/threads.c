/* Calls from several threads: on handles of their own, on one sender, on one network, and with
 * one thread freeing what others use. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 2000 };

static qbb_scheme scheme;
static qbb_sender common;
static struct small shared;
static qbb_sender doomed[ROUNDS];

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
	CHECK(qbb_sender_free(common) == 0 && qbb_scheme_free(scheme) == 0);
	CHECK(qbb_net_free(shared.net) == 0 && qbb_scheme_free(shared.scheme) == 0);
	CHECK(qbb_live() == 0);
	return 0;
}
