/*
 * Four hosts, two switches: 0 and 1 send to 2 and 3 across one link of 100 Gb/s.
 *
 *	0 --+            +-- 2
 *	    4 ---------- 5
 *	1 --+            +-- 3
 *
 * Every link has 100 Gb/s and 1 us. The devices are the library's; links and the order of events
 * are this program's: events of equal time run in the order in which they were scheduled.
 * usage: dumbbell [scheme [bytes]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <qbb.h>

enum { NODES = 6, PORTS = 3, QUEUE = 4096, ACTIONS = 8 };

enum event_kind { ARRIVE, TX_DONE };

struct event {
	int64_t at, born;
	uint64_t seq;
	enum event_kind kind;
	int node;
	uint32_t port;
	int slot; /* ARRIVE: the packet's place in packets */
};

/* One port: where its link leads, and its pending events. */
struct port {
	int peer;
	uint32_t peer_port;
	int sending, wanted; /* it sends; it wants TX_DONE at the end */
	/* Its next call of wake, which may be put off at any time and so is not in the queue. */
	int64_t wake, wake_born;
	uint64_t wake_seq;
};

static const int64_t rate = INT64_C(100000000000), delay = 1000000;
static struct event queue[QUEUE];
static int queued;
static qbb_packet packets[QUEUE];
static int free_slots[QUEUE], n_free_slots;
static uint64_t seq;
static int64_t now, born;
static qbb_node nodes[NODES];
static struct port ports[NODES * PORTS];
static int64_t started[2], fct[2];

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "dumbbell: %s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

static struct port *port_at(int node, uint32_t port) { return &ports[(uint32_t)node * PORTS + port]; }

static int before(const struct event *a, const struct event *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

/* A binary heap. */
static void schedule(int64_t at, enum event_kind kind, int node, uint32_t port, const qbb_packet *packet)
{
	struct event e = {.at = at, .born = now, .seq = ++seq, .kind = kind, .node = node, .port = port};
	int i = queued++;

	if (queued > QUEUE) {
		fprintf(stderr, "dumbbell: more than %d events are pending\n", QUEUE);
		exit(1);
	}
	if (packet) {
		e.slot = free_slots[--n_free_slots];
		packets[e.slot] = *packet;
	}
	for (; i > 0 && before(&e, &queue[(i - 1) / 2]); i = (i - 1) / 2)
		queue[i] = queue[(i - 1) / 2];
	queue[i] = e;
}

static void next_event(struct event *e)
{
	struct event last = queue[--queued];
	int i = 0;

	*e = queue[0];
	for (int child; (child = 2 * i + 1) < queued; i = child) {
		if (child + 1 < queued && before(&queue[child + 1], &queue[child]))
			child++;
		if (!before(&queue[child], &last))
			break;
		queue[i] = queue[child];
	}
	queue[i] = last;
}

static void obey(int node, qbb_action *actions, int n);

/* Notifies the node that a port is free. */
static void tx_done(int node, uint32_t port)
{
	qbb_action actions[ACTIONS];

	port_at(node, port)->wanted = 0;
	obey(node, actions, must(qbb_node_tx_done(nodes[node], now, born, port, actions, ACTIONS)));
}

/* Carries out one action; returns whether the port must be notified that it is free. */
static int carry_out(int node, const qbb_action *a)
{
	struct port *p = port_at(node, (uint32_t)a->port);

	switch (a->kind) {
	case QBB_TRANSMIT:
		p->sending = 1;
		p->wanted = a->more;
		schedule(a->at, TX_DONE, node, (uint32_t)a->port, NULL);
		schedule(a->at + delay, ARRIVE, p->peer, p->peer_port, &a->packet);
		break;
	case QBB_KICK:
		p->wanted = p->sending;
		return !p->sending;
	case QBB_SET_WAKE:
		p->wake = a->at;
		p->wake_born = now;
		p->wake_seq = ++seq;
		break;
	case QBB_FLOW_DONE:
		fct[a->flow] = now - started[a->flow];
		break;
	case QBB_DROPPED:
	case QBB_FLOW_FAILED:
		fprintf(stderr, "dumbbell: node %d has lost a packet or a flow\n", node);
		exit(1);
	default:
		break;
	}
	return 0;
}

/* Carries out n actions in order; those that did not fit into the array are fetched. */
static void obey(int node, qbb_action *actions, int n)
{
	uint32_t free_ports[64];
	int n_free = 0;

	for (;;) {
		for (int i = 0; i < n && i < ACTIONS; i++)
			if (carry_out(node, &actions[i]) && n_free < 64)
				free_ports[n_free++] = (uint32_t)actions[i].port;
		if (n <= ACTIONS)
			break;
		n = must(qbb_node_more(nodes[node], actions, ACTIONS));
	}
	for (int i = 0; i < n_free; i++)
		tx_done(node, free_ports[i]);
}

/* Wakes the port whose time comes before the next event, if there is one. */
static int wake_first(void)
{
	struct port *first = ports;
	qbb_action actions[ACTIONS];
	int node;

	for (struct port *p = ports; p < ports + NODES * PORTS; p++)
		if (p->wake < first->wake || (p->wake == first->wake && p->wake_seq < first->wake_seq))
			first = p;
	if (first->wake == QBB_NEVER || (queued > 0 && (queue[0].at < first->wake ||
	                                                (queue[0].at == first->wake && queue[0].seq < first->wake_seq))))
		return 0;
	now = first->wake;
	born = first->wake_born;
	first->wake = QBB_NEVER;
	node = (int)(first - ports) / PORTS;
	obey(node, actions, must(qbb_node_wake(nodes[node], now, born, (uint32_t)(first - ports) % PORTS, actions, ACTIONS)));
	return 1;
}

static void run(void)
{
	struct event e;
	qbb_action actions[ACTIONS];

	while (!(fct[0] && fct[1])) {
		if (wake_first())
			continue;
		if (queued == 0)
			break;
		next_event(&e);
		now = e.at;
		born = e.born;
		if (e.kind == ARRIVE) {
			free_slots[n_free_slots++] = e.slot;
			obey(e.node, actions, must(qbb_node_receive(nodes[e.node], now, born, e.port, &packets[e.slot], actions, ACTIONS)));
			continue;
		}
		port_at(e.node, e.port)->sending = 0;
		if (port_at(e.node, e.port)->wanted)
			tx_done(e.node, e.port);
	}
}

static void join(const qbb_link *links, uint32_t n)
{
	uint32_t used[NODES] = {0};

	for (const qbb_link *l = links; l < links + n; l++) {
		const uint32_t a = used[l->a]++, b = used[l->b]++;

		*port_at(l->a, a) = (struct port){.peer = l->b, .peer_port = b, .wake = QBB_NEVER};
		*port_at(l->b, b) = (struct port){.peer = l->a, .peer_port = a, .wake = QBB_NEVER};
	}
}

/* Makes links, routes and devices; gives the figures of the path from 0 to 2, which are those of
 * all flows. */
static qbb_path build(const char *name)
{
	static const uint8_t kinds[NODES] = {0, 0, 0, 0, 1, 1};
	static const int ends[][2] = {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 5}};
	enum { LINKS = sizeof ends / sizeof *ends };
	qbb_link links[LINKS];
	qbb_scheme scheme;
	qbb_topology topology;
	qbb_topology_config tc;
	qbb_path path, largest;
	qbb_net net;
	qbb_net_config nc;
	qbb_nic_config hc;
	qbb_switch_config sc;
	qbb_switch_port sp[PORTS];

	must(qbb_open(QBB_ABI_VERSION));
	must(qbb_scheme_new(name, NULL, &scheme));

	for (int i = 0; i < LINKS; i++)
		links[i] = (qbb_link){.a = ends[i][0], .b = ends[i][1], .rate = rate, .delay = delay};
	for (n_free_slots = 0; n_free_slots < QUEUE; n_free_slots++)
		free_slots[n_free_slots] = n_free_slots;
	for (int i = 0; i < NODES * PORTS; i++)
		ports[i].wake = QBB_NEVER;
	join(links, LINKS);
	must(qbb_topology_default(QBB_NATIVE, &tc));
	tc.nodes = NODES;
	tc.kinds = kinds;
	tc.links = links;
	tc.n_links = LINKS;
	must(qbb_topology_new(&tc, &topology));
	must(qbb_topology_path(topology, 0, 2, &path));
	must(qbb_topology_largest(topology, &largest));

	must(qbb_net_default(QBB_NATIVE, &nc));
	nc.nodes = NODES;
	nc.schemes = &scheme;
	nc.n_schemes = 1;
	nc.max_rtt = largest.rtt;
	must(qbb_net_new(&nc, &net));
	must(qbb_nic_default(QBB_NATIVE, &hc));
	hc.n_ports = 1;
	hc.rates = &rate;
	must(qbb_switch_default(QBB_NATIVE, &sc));
	for (int i = 0; i < PORTS; i++)
		sp[i] = (qbb_switch_port){.rate = rate, .headroom = 65864, .kmin = 400000, .kmax = 1600000, .pmax = 0.2, .shift = 3};
	sc.n_ports = PORTS;
	sc.ports = sp;
	for (int id = 0; id < NODES; id++) {
		hc.id = sc.id = id;
		if (kinds[id] == 0)
			must(qbb_nic_new(net, &hc, &nodes[id]));
		else
			must(qbb_switch_new(net, &sc, &nodes[id]));
		must(qbb_node_routes(nodes[id], topology));
	}
	must(qbb_topology_free(topology));
	return path;
}

int main(int argc, char **argv)
{
	const int64_t bytes = argc > 2 ? atoll(argv[2]) : 1000000;
	const qbb_path path = build(argc > 1 ? argv[1] : "hpcc");
	qbb_action actions[ACTIONS];

	for (int i = 0; i < 2; i++) {
		qbb_flow_config f = {.size = sizeof f, .id = i, .dst = i + 2, .src_port = 10000, .dst_port = 100, .prio = 3,
		                     .hops = path.hops, .bytes = bytes, .base_rtt = path.rtt};
		obey(i, actions, must(qbb_nic_open(nodes[i], now, born, &f, NULL, actions, ACTIONS)));
	}
	run();
	for (int i = 0; i < 2; i++)
		printf("flow %d -> %d: %" PRId64 " bytes in %" PRId64 " ps, %.2f Gb/s\n", i, i + 2, bytes, fct[i],
		       (double)bytes * 8000 / (double)fct[i]);
	return fct[0] && fct[1] ? 0 : 1;
}
