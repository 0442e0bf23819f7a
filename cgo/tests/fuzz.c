/* Calls with random bytes for arguments, on a few handles of every kind. Nothing may crash, and no
 * object may break: the library must refuse what would break it. usage: fuzz [calls [seed]] */
#include "noise.h"

enum { SLOTS = 8, ROOM = 5 };

static uint64_t handles[SLOTS];
static int made;
static qbb_action actions[ROOM];
static long accepted[2]; /* by level */

static int64_t clock_ps;

/* Mostly the next moment. */
static int64_t moment(void)
{
	if (bits() % 1024 == 0)
		return number();
	return clock_ps += (int64_t)(bits() % 1000000);
}

static uint64_t any(void) { return bits() % 32 ? handles[bits() % SLOTS] : bits(); }

static void keep(int code, uint64_t h)
{
	if (code != 0)
		return;
	handles[made++ % SLOTS] = h;
}

static int level1(void)
{
	static const char *const texts[] = {NULL, "", "hpcc", "{", "{\"ai\": 1}", "ai=5Gbps", "=", "window=true", "\xff\xfe"};
	static qbb_hop hops[QBB_MAX_HOPS];
	qbb_scheme s = 0;
	qbb_sender d = 0;
	qbb_flow f;
	qbb_signal sig;
	qbb_control c;
	qbb_traits t;
	int code;

	switch (bits() % 8) {
	case 0:
		code = qbb_scheme_new(bits() % 8 ? qbb_scheme_name((uint32_t)(bits() % 40)) : texts[bits() % 9],
		                      texts[bits() % 9], &s);
		keep(code, s);
		return code;
	case 1:
		code = qbb_sender_new(any(), bits() % 16 ? &d : NULL);
		keep(code, d);
		return code;
	case 2:
		if (bits() % 2) {
			noise(&f, sizeof f);
		} else {
			f = a_flow();
			f.line = number();
			f.base_rtt = number();
			f.bytes = number();
		}
		return qbb_sender_start(any(), moment(), &f, &c);
	case 3:
		return qbb_scheme_traits(any(), &t);
	default:
		noise(&sig, sizeof sig);
		sig.now = moment();
		sig.born = bits() % 2 ? QBB_NEVER : sig.now / 2;
		sig.kind = (int32_t)(bits() % 9);
		sig.bytes = bits() % 4 ? (int64_t)(bits() % 5000) : number();
		sig.marked = sig.acked = sig.next = sig.in_flight = (int64_t)(bits() % 1000000);
		sig.rtt = sig.sent_at = sig.host_time = bits() % 4 ? (int64_t)(bits() % 10000000) : number();
		sig.n_hops = (uint32_t)(bits() % (QBB_MAX_HOPS + 2));
		noise(hops, sizeof hops);
		sig.hops = bits() % 16 ? hops : NULL;
		return bits() % 2 ? qbb_sender_step(any(), &sig, &c)
		                  : qbb_sender_step_batch(handles, &sig, &c, bits() % 2, NULL);
	}
}

static struct small net;

static qbb_node node(void)
{
	const qbb_node all[] = {net.host[0], net.host[1], net.sw};

	return bits() % 32 ? all[bits() % 3] : any();
}

static void packet(qbb_packet *p)
{
	/* the last packet sent, or noise, with a few fields changed */
	if (bits() % 2)
		*p = actions[bits() % ROOM].packet;
	else
		noise(p, sizeof *p);
	for (int i = 0; i < 2; i++)
		switch (bits() % 11) {
		case 0: p->dst = (int32_t)(bits() % 4); break;
		case 1: p->kind = (uint8_t)(bits() % 10); break;
		case 2: p->seq = bits() % 2 ? (int64_t)(bits() % 20000) : number(); break;
		case 3: p->dst_qp = (int32_t)number(); break;
		case 4: p->size = (int32_t)number(); break;
		case 5: p->has_int = bits() % 2; break;
		case 6: p->n_hops = (uint8_t)bits(); break;
		case 7: p->aux = bits(); break;
		case 10: p->sack = number(); break;
		case 8: p->prio = (uint8_t)(bits() % 9); break;
		default: p->sent = moment(); break;
		}
}

/* Small graphs, and noise. */
static int topology(void)
{
	static uint8_t kinds[6];
	static qbb_link links[8];
	qbb_topology_config c;
	qbb_topology t = 0;
	qbb_path path;
	int code;

	noise(&c, sizeof c);
	if (bits() % 4)
		CHECK(qbb_topology_default((int32_t)(bits() % 2), &c) == 0);
	for (int i = 0; i < 6; i++)
		kinds[i] = bits() % 16 ? (uint8_t)(i / 3) : (uint8_t)bits();
	for (int i = 0; i < 8; i++) {
		noise(&links[i], sizeof links[i]);
		links[i].a = (int32_t)(bits() % 64 ? i % 6 : number());
		links[i].b = (int32_t)(3 + bits() % 3);
		links[i].rate = bits() % 64 ? LINE : number();
		links[i].delay = bits() % 64 ? (int64_t)(bits() % 1000000) : number();
		links[i].down = bits() % 4 == 0;
	}
	c.nodes = (int32_t)(bits() % 7);
	c.n_links = (uint32_t)(bits() % 9);
	c.kinds = kinds;
	c.links = links;
	code = qbb_topology_new(&c, &t);
	if (code != 0)
		return code;
	code = qbb_topology_path(t, (int32_t)(bits() % 7), (int32_t)(bits() % 7), &path);
	CHECK(code == QBB_E_RANGE || code == QBB_E_STATE || (code == 0 && path.hops > 0));
	CHECK(qbb_topology_largest(t, &path) == 0);
	code = qbb_node_routes(net.host[bits() % 2], t);
	CHECK(code == QBB_E_RANGE || code == 0);
	CHECK(qbb_topology_free(t) == 0);
	return 0;
}

static int level2(void)
{
	const int64_t now = moment(), born = bits() % 2 ? QBB_NEVER : now;
	const uint32_t port = (uint32_t)(bits() % 3), room = (uint32_t)(bits() % (ROOM + 1));
	const uint16_t via[2] = {(uint16_t)(bits() % 3), (uint16_t)(bits() % 3)};
	qbb_packet p;
	qbb_flow_config f;
	qbb_flow_state st;
	qbb_counters c;
	qbb_datagram d = {.size = sizeof d};

	switch (bits() % 18) {
	case 17:
		d.dst = (int32_t)(bits() % 4);
		d.bytes = (int32_t)(bits() % 8 ? bits() % 1500 : (uint64_t)number());
		d.prio = (uint8_t)(bits() % 9);
		d.id = bits();
		return qbb_nic_send(node(), now, born, port, &d, actions, room);
	case 16:
		return topology();
	case 0:
		f = a_message((int64_t)(bits() % 100000));
		f.dst = (int32_t)(bits() % 3);
		f.dst_qp = (int32_t)number();
		f.prio = (uint8_t)(bits() % 9);
		f.base_rtt = number();
		return qbb_nic_open(node(), now, born, &f, NULL, actions, room);
	case 1:
		return qbb_node_set_link(node(), now, born, port, bits() % 4 != 0, actions, room);
	case 2:
		return bits() % 4 ? qbb_nic_reroute(node(), now, born, actions, room)
		                  : qbb_node_route(node(), (int32_t)(bits() % 4), via, (uint32_t)(bits() % 3));
	case 3:
		return qbb_nic_flow(node(), (int32_t)(bits() % 8), &st);
	case 4:
		return qbb_node_counters(node(), port, now, &c);
	case 5:
		return qbb_nic_forget(node(), (int32_t)number());
	case 6:
	case 7:
		return qbb_node_wake(node(), now, born, port, actions, room);
	case 8:
	case 9:
	case 10:
		return qbb_node_tx_done(node(), now, born, port, actions, room);
	case 11:
	case 12:
		return qbb_node_more(node(), actions, room);
	default:
		packet(&p);
		return qbb_node_receive(node(), now, born, port, &p, actions, room);
	}
}

/* Now and then everything is freed and made again, with another scheme and the time set back. */
static void renew(void)
{
	static uint32_t next;

	if (net.net) {
		CHECK(qbb_net_free(net.net) == 0 && qbb_scheme_free(net.scheme) == 0);
		for (int i = 0; i < SLOTS; i++)
			if (qbb_scheme_free(handles[i]) != 0)
				qbb_sender_free(handles[i]);
	}
	memset(handles, 0, sizeof handles);
	memset(actions, 0, sizeof actions);
	clock_ps = 0;
	if (!qbb_scheme_name(next))
		next = 0;
	net = make_small_with(qbb_scheme_name(next++), bits() % 2);
}

int main(int argc, char **argv)
{
	const long calls = argc > 1 ? atol(argv[1]) : 1000000;

	state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	for (long i = 0; i < calls; i++) {
		const int level = bits() % 2 == 0;
		int code;

		if (i % 10000 == 0)
			renew();
		code = level ? level2() : level1();
		accepted[level] += code >= 0;
		if (code == QBB_E_INTERNAL || code == QBB_E_BROKEN || code == QBB_E_FULL) {
			fprintf(stderr, "fuzz: call %ld: %s\n", i, qbb_last_error());
			return 1;
		}
	}
	CHECK(accepted[0] > calls / 20 && accepted[1] > calls / 20); /* otherwise only the checks are fuzzed */
	printf("of %ld calls of both levels %ld and %ld were accepted\n", calls, accepted[0], accepted[1]);
	return 0;
}
