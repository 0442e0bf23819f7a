/*
 * Drives one scheme without a network: HPCC at 100 Gb/s hears of one link, first idle, then with
 * a queue of 200 KB, then idle again. Prints its window and rate after every tenth ACK.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <qbb.h>

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "scheme: %s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

int main(void)
{
	const int64_t us = 1000000, line = INT64_C(100000000000), mtu = 1000, rtt = 8 * us;
	qbb_scheme scheme;
	qbb_sender sender;
	qbb_traits traits;
	qbb_flow flow = {.size = sizeof flow, .line = line, .base_rtt = rtt, .mtu = mtu, .bytes = 1 << 30, .hops = 1};
	qbb_hop hop = {.line = line};
	qbb_signal ack = {.born = QBB_NEVER, .kind = QBB_ACK, .bytes = mtu, .rtt = rtt, .n_hops = 1, .hops = &hop};
	qbb_control control;

	must(qbb_open(QBB_ABI_VERSION));
	must(qbb_scheme_new("hpcc", "target=0.95,multi_rate=false", &scheme));
	must(qbb_scheme_traits(scheme, &traits));
	printf("# %s of qbb %s; telemetry %s\n", traits.name, qbb_version(), traits.needs & QBB_NEED_INT ? "yes" : "no");
	must(qbb_int_full(1, &flow.format));
	must(qbb_sender_new(scheme, &sender));
	must(qbb_sender_start(sender, 0, &flow, &control));

	printf("%8s %8s %10s %8s\n", "us", "queue", "window", "Gb/s");
	for (int i = 1; i <= 120; i++) {
		ack.now = rtt + i * us;
		ack.sent_at = ack.now - rtt;
		ack.acked += mtu;
		ack.in_flight = control.window < 100 * mtu ? control.window : 100 * mtu;
		ack.next = ack.acked + ack.in_flight;
		hop.at = (uint64_t)ack.now;
		hop.tx += (uint64_t)(control.rate / 8 / 1000000); /* bytes that this sender sends in 1 us */
		hop.queue = i > 40 && i <= 80 ? 200000 : 0;
		must(qbb_sender_step(sender, &ack, &control));
		if (i % 10 == 0)
			printf("%8" PRId64 " %8" PRIu64 " %10" PRId64 " %8.2f\n", ack.now / us, hop.queue, control.window,
			       (double)control.rate / 1e9);
	}
	must(qbb_sender_free(sender));
	must(qbb_scheme_free(scheme));
	return 0;
}
