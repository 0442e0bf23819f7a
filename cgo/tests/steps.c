/* Every scheme of the catalog on one tape of signals: its answers obey the contract, and those of
 * a batch are those of single steps. */
#include "check.h"

enum { STEPS = 500 };

static qbb_hop hops[STEPS][2];
static qbb_signal tape[STEPS];

/* ACKs with growing and shrinking queues, marks, notifications, timers; no kind is left out. */
static void record(void)
{
	int64_t now = 8000000, acked = 0;

	for (int i = 0; i < STEPS; i++) {
		qbb_signal *s = &tape[i];
		const int64_t queue = i / 50 % 2 ? (i % 50) * INT64_C(4000) : 0;

		memset(s, 0, sizeof *s);
		now += 500000;
		s->now = now;
		s->born = now - 1000;
		s->kind = i % 10 == 9 ? i / 10 % 8 : QBB_ACK;
		s->rtt = 8000000 + queue * 80;
		s->sent_at = now - s->rtt;
		s->bytes = 1000;
		s->acked = acked += 1000;
		s->next = acked + 50000;
		s->in_flight = 50000;
		s->aux = (uint64_t)queue / 1000;
		s->feedback = (int32_t)(queue / 4000);
		if (queue > 100000) {
			s->flags = QBB_ECE;
			s->marked = 1000;
		}
		for (int h = 0; h < 2; h++) {
			hops[i][h].line = LINE;
			hops[i][h].at = (uint64_t)(now - 1000000 * (2 - h));
			hops[i][h].tx = (uint64_t)(i * 6000);
			hops[i][h].queue = h ? (uint64_t)queue : 0;
		}
		s->n_hops = 2;
		s->hops = hops[i];
	}
}

/* A window of 0 waits for a grant. */
static void check(const qbb_control *c, const qbb_traits *t)
{
	CHECK(c->rate >= 1 && c->rate <= LINE);
	CHECK(c->window >= (t->hears >> QBB_GRANT & 1 ? 0 : 1) && c->gap >= 0 && c->wake >= 0 && c->timeout >= 0);
	CHECK((c->orders & ~(uint32_t)(QBB_REPACE | QBB_PROBE)) == 0);
}

static void scheme(const char *name)
{
	static qbb_control single[STEPS], batch[STEPS];
	qbb_sender all[STEPS];
	qbb_scheme s;
	qbb_sender one, other;
	qbb_flow f = a_flow();
	qbb_control c;
	qbb_traits traits;
	size_t done = 77;

	memset(single, 0, sizeof single);
	memset(batch, 0, sizeof batch);
	CHECK(qbb_int_full(2, &f.format) == 0);
	CHECK(qbb_scheme_new(name, NULL, &s) == 0 && qbb_scheme_traits(s, &traits) == 0);
	CHECK(qbb_sender_new(s, &one) == 0 && qbb_sender_new(s, &other) == 0);
	CHECK(qbb_sender_start(one, 0, &f, &c) == 0);
	check(&c, &traits);
	CHECK(qbb_sender_start(other, 0, &f, &c) == 0);
	for (int i = 0; i < STEPS; i++) {
		CHECK(qbb_sender_step(one, &tape[i], &single[i]) == 0);
		check(&single[i], &traits);
		all[i] = other;
	}
	CHECK(qbb_sender_step_batch(all, tape, batch, STEPS, &done) == 0 && done == STEPS);
	CHECK(memcmp(single, batch, sizeof single) == 0);

	/* a batch ends at the first error, and says where it is */
	CHECK(qbb_sender_start(other, 0, &f, &c) == 0);
	all[3] = 0;
	REFUSED(QBB_E_HANDLE, "sender", qbb_sender_step_batch(all, tape, batch, 5, &done));
	CHECK(done == 3);
	REFUSED(QBB_E_NULL, "senders", qbb_sender_step_batch(NULL, tape, batch, 1, NULL));
	REFUSED(QBB_E_NULL, "signals", qbb_sender_step_batch(all, NULL, batch, 1, NULL));
	REFUSED(QBB_E_NULL, "controls", qbb_sender_step_batch(all, tape, NULL, 1, NULL));
	CHECK(qbb_sender_step_batch(NULL, NULL, NULL, 0, NULL) == 0);

	/* restarted, a sender answers as the first time */
	CHECK(qbb_sender_start(one, 0, &f, &c) == 0);
	for (int i = 0; i < STEPS; i++) {
		CHECK(qbb_sender_step(one, &tape[i], &c) == 0);
		CHECK(memcmp(&c, &single[i], sizeof c) == 0);
	}
	CHECK(qbb_sender_free(one) == 0 && qbb_sender_free(other) == 0 && qbb_scheme_free(s) == 0);
}

int main(void)
{
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	record();
	for (uint32_t i = 0; qbb_scheme_name(i); i++)
		scheme(qbb_scheme_name(i));
	CHECK(qbb_live() == 0);
	return 0;
}
