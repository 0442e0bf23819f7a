/* Level 2: what it refuses, and that it works. */
#include "check.h"

enum { ROOM = 16, MOST_PORTS = 65535 };

static void configurations(void)
{
	struct small s = make_small("hpcc");
	qbb_net_config nc;
	qbb_nic_config hc;
	qbb_switch_config sc;
	qbb_switch_port port;
	qbb_net net;
	qbb_node node;
	const int64_t rate = LINE;

#define BAD_NET(code, word, change)                                   \
	do {                                                          \
		CHECK(qbb_net_default(QBB_NS3, &nc) == 0);            \
		nc.change;                                            \
		REFUSED(code, word, qbb_net_new(&nc, &net));          \
	} while (0)
	BAD_NET(QBB_E_VERSION, "qbb_net_config", size = 1);
	BAD_NET(QBB_E_RANGE, "options", options = 4);
	BAD_NET(QBB_E_RANGE, "lane", lane = 1 << 20);
	BAD_NET(QBB_E_RANGE, "credit_update", credit_update = 1);
	BAD_NET(QBB_E_RANGE, "nodes", nodes = 0);
	BAD_NET(QBB_E_RANGE, "mtu", mtu = 0);
	BAD_NET(QBB_E_RANGE, "timing", timing = -1);
	BAD_NET(QBB_E_RANGE, "timing", timing = 2);
	BAD_NET(QBB_E_RANGE, "max_qps", max_qps = UINT32_MAX);
	BAD_NET(QBB_E_RANGE, "n_schemes", n_schemes = 256);
	BAD_NET(QBB_E_NULL, "schemes", n_schemes = 1);
	REFUSED(QBB_E_RANGE, "profile", qbb_net_default(2, &nc));
	REFUSED(QBB_E_NULL, "config", qbb_net_default(0, NULL));
	REFUSED(QBB_E_NULL, "config", qbb_net_new(NULL, &net));

#define BAD_NIC(code, word, change)                                   \
	do {                                                          \
		CHECK(qbb_nic_default(QBB_NS3, &hc) == 0);            \
		hc.n_ports = 1;                                       \
		hc.rates = &rate;                                     \
		hc.change;                                            \
		REFUSED(code, word, qbb_nic_new(s.net, &hc, &node));  \
	} while (0)
	BAD_NIC(QBB_E_VERSION, "qbb_nic_config", size = 0);
	BAD_NIC(QBB_E_RANGE, "options", options = 2 * QBB_PLB_PORTS);
	BAD_NIC(QBB_E_RANGE, "exclude one another", options = QBB_RANDOM_PORTS | QBB_RECYCLED_PORTS);
	BAD_NIC(QBB_E_RANGE, "exclude one another", options = QBB_RANDOM_PORTS | QBB_PLB_PORTS);
	BAD_NIC(QBB_E_RANGE, "exclude one another", options = QBB_RECYCLED_PORTS | QBB_PLB_PORTS);
	BAD_NIC(QBB_E_RANGE, "id", id = 3);
	BAD_NIC(QBB_E_RANGE, "n_ports", n_ports = 0);
	BAD_NIC(QBB_E_RANGE, "n_ports", n_ports = UINT32_MAX);
	BAD_NIC(QBB_E_NULL, "rates", rates = NULL);
	BAD_NIC(QBB_E_RANGE, "min_packet", min_packet = 0);
	BAD_NIC(QBB_E_RANGE, "ack_every is 0; it must be 1 to 1000000", ack_every = 0);
	BAD_NIC(QBB_E_RANGE, "chunk", chunk = 0);
	BAD_NIC(QBB_E_RANGE, "rto", rto = -1);
	BAD_NIC(QBB_E_RANGE, "rto_low", rto_low = -1);
	BAD_NIC(QBB_E_RANGE, "reordering is -1; it must be 0 to 1000000", reordering = -1);
	BAD_NIC(QBB_E_RANGE, "reordering", reordering = 1000001);
	BAD_NIC(QBB_E_RANGE, "recovery", recovery[7] = QBB_SELECTIVE + 1);
	REFUSED(QBB_E_NULL, "config", qbb_nic_new(s.net, NULL, &node));
	REFUSED(QBB_E_NULL, "node", qbb_nic_new(s.net, &hc, NULL));
	REFUSED(QBB_E_HANDLE, "network", qbb_nic_new(s.scheme, &hc, &node));

#define BAD_SWITCH(code, word, change)                                   \
	do {                                                             \
		memset(&port, 0, sizeof port);                           \
		port.rate = LINE;                                        \
		CHECK(qbb_switch_default(QBB_NATIVE, &sc) == 0);         \
		sc.n_ports = 1;                                          \
		sc.ports = &port;                                        \
		change;                                                  \
		REFUSED(code, word, qbb_switch_new(s.net, &sc, &node));  \
	} while (0)
	BAD_SWITCH(QBB_E_VERSION, "qbb_switch_config", sc.size++);
	BAD_SWITCH(QBB_E_RANGE, "id", sc.id = -1);
	BAD_SWITCH(QBB_E_RANGE, "buffer", sc.buffer = 0);
	BAD_SWITCH(QBB_E_RANGE, "promised", sc.buffer = 4096);
	BAD_SWITCH(QBB_E_RANGE, "the switch can use", sc.buffer = INT64_C(5000000000));
	BAD_SWITCH(QBB_E_RANGE, "reserve", sc.reserve = INT64_C(5000000000));
	BAD_SWITCH(QBB_E_RANGE, "headroom", port.headroom = INT64_C(5000000000));
	BAD_SWITCH(QBB_E_RANGE, "pause_quanta", sc.pause_quanta = 1 << 16);
	BAD_SWITCH(QBB_E_RANGE, "balance is 5; it must be 0 to 4", sc.balance = QBB_ADAPTIVE + 1);
	BAD_SWITCH(QBB_E_RANGE, "sharing is 3; it must be 0 to 2", sc.sharing = QBB_ABM + 1);
	BAD_SWITCH(QBB_E_RANGE, "first_alpha is 0; it must be 1 to 65535", sc.first_alpha = 0);
	BAD_SWITCH(QBB_E_RANGE, "first_alpha", sc.first_alpha = 65536);
	BAD_SWITCH(QBB_E_RANGE, "strict is 4; with QBB_ABM it must be 0", (sc.strict = 4, sc.sharing = QBB_ABM));
	BAD_SWITCH(QBB_E_RANGE, "flowlet_gap", sc.flowlet_gap = -1);
	BAD_SWITCH(QBB_E_RANGE, "flowlet_gap", sc.flowlet_gap = QBB_NEVER);
	BAD_SWITCH(QBB_E_RANGE, "watchdog_detection is -1", sc.watchdog_detection = -1);
	BAD_SWITCH(QBB_E_RANGE, "watchdog_restoration", sc.watchdog_restoration = QBB_NEVER);
	BAD_SWITCH(QBB_E_NULL, "ports", sc.ports = NULL);
	BAD_SWITCH(QBB_E_RANGE, "rate", port.rate = 0);
	BAD_SWITCH(QBB_E_RANGE, "shift", port.shift = 64);
	BAD_SWITCH(QBB_E_RANGE, "kmax", port.kmin = 1);
	BAD_SWITCH(QBB_E_RANGE, "pmax", port.pmax = 1.5);
	BAD_SWITCH(QBB_E_RANGE, "pmax", port.pmax = 0.0 / port.pmax);

	CHECK(qbb_net_free(s.net) == 0);
	REFUSED(QBB_E_HANDLE, "node", qbb_node_free(s.sw));
	REFUSED(QBB_E_HANDLE, "network", qbb_net_free(s.net));
	CHECK(qbb_scheme_free(s.scheme) == 0);
}

/* Acknowledgements are not coalesced where a scheme needs each of them, or delays them itself. */
static void coalescing(void)
{
	static const char *const schemes[] = {"xcp", "dctcp-window"};
	const int64_t rate = LINE;
	qbb_nic_config hc;
	qbb_node node;

	CHECK(qbb_nic_default(QBB_NATIVE, &hc) == 0);
	hc.n_ports = 1;
	hc.rates = &rate;
	hc.ack_every = 2;
	for (int i = 0; i < 2; i++) {
		struct small s = make_small(schemes[i]);

		REFUSED(QBB_E_RANGE, schemes[i], qbb_nic_new(s.net, &hc, &node));
		CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
	}
}

/* A network has one node of a number: flows and routes go by it. One that is freed makes room. */
static void numbers(void)
{
	struct small s = make_small("hpcc");
	const int64_t rate = LINE;
	const int64_t live = qbb_live();
	qbb_nic_config hc;
	qbb_node node;

	CHECK(qbb_nic_default(QBB_NATIVE, &hc) == 0);
	hc.n_ports = 1;
	hc.rates = &rate;
	for (hc.id = 0; hc.id < 3; hc.id++)
		REFUSED(QBB_E_STATE, "the network has a node of this number already", qbb_nic_new(s.net, &hc, &node));
	CHECK(qbb_live() == live);
	hc.id = 2;
	CHECK(qbb_node_free(s.sw) == 0 && qbb_nic_new(s.net, &hc, &node) == 0);
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* A node may have as many ports as one of a topology. */
static void many_ports(void)
{
	struct small s = make_small("hpcc");
	static int64_t rates[MOST_PORTS + 1];
	static qbb_switch_port ports[MOST_PORTS + 1];
	qbb_nic_config hc;
	qbb_switch_config sc;
	qbb_node node;

	for (int i = 0; i <= MOST_PORTS; i++)
		rates[i] = ports[i].rate = LINE;
	CHECK(qbb_nic_default(QBB_NATIVE, &hc) == 0 && qbb_switch_default(QBB_NATIVE, &sc) == 0);
	hc.rates = rates;
	sc.ports = ports;
	sc.reserve = 0;
	hc.n_ports = sc.n_ports = MOST_PORTS + 1;
	REFUSED(QBB_E_RANGE, "n_ports is 65536; it must be 1 to 65535", qbb_nic_new(s.net, &hc, &node));
	REFUSED(QBB_E_RANGE, "n_ports is 65536; it must be 1 to 65535", qbb_switch_new(s.net, &sc, &node));
	hc.n_ports = sc.n_ports = MOST_PORTS;
	CHECK(qbb_node_free(s.host[0]) == 0);
	CHECK(qbb_nic_new(s.net, &hc, &node) == 0 && qbb_node_free(node) == 0);
	CHECK(qbb_switch_new(s.net, &sc, &node) == 0 && qbb_node_free(node) == 0);
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* Every scheme takes a path across oceans, and the longest and fastest that there may be. */
static void long_paths(void)
{
	const int64_t fast = INT64_C(1000000000000000);
	const uint16_t via = 0;

	for (uint32_t i = 0; qbb_scheme_name(i); i++) {
		struct small s = make_small(qbb_scheme_name(i));
		qbb_flow_config f = a_message(1000000);
		qbb_flow level1 = a_flow();
		qbb_nic_config hc;
		qbb_node nic;
		qbb_sender d;
		qbb_control c;
		qbb_action a[ROOM];

		CHECK(qbb_nic_default(QBB_NATIVE, &hc) == 0);
		hc.id = 2;
		hc.n_ports = 1;
		hc.rates = &fast;
		CHECK(qbb_node_free(s.sw) == 0);
		CHECK(qbb_nic_new(s.net, &hc, &nic) == 0 && qbb_node_route(nic, 1, &via, 1) == 0);
		CHECK(qbb_sender_new(s.scheme, &d) == 0);
		f.base_rtt = level1.base_rtt = INT64_C(30000000000);
		CHECK(qbb_nic_open(s.host[0], 0, QBB_NEVER, &f, NULL, a, ROOM) >= 1);
		CHECK(qbb_sender_start(d, 0, &level1, &c) == 0 && c.rate > 0);
		f.base_rtt = level1.base_rtt = QBB_TIME_MAX;
		level1.line = fast;
		CHECK(qbb_nic_open(nic, 0, QBB_NEVER, &f, NULL, a, ROOM) >= 1);
		CHECK(qbb_sender_start(d, 0, &level1, &c) == 0 && c.rate > 0 && c.window >= 0);
		CHECK(qbb_sender_free(d) == 0 && qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
	}
}

/* Packets that no peer can have sent change nothing. */
static void packets(void)
{
	struct small s = make_small("hpcc");
	qbb_packet good, p;
	qbb_action a[ROOM];
	qbb_counters before, after;

	memset(&good, 0, sizeof good);
	good.dst = 1;
	good.size = 1062;
	good.payload = 1000;
	good.prio = 3;
	CHECK(qbb_node_counters(s.sw, 0, 1000, &before) == 0);
#define BAD_PACKET(to, field, value)                                                                        \
	do {                                                                                                \
		p = good;                                                                                   \
		p.field = (value);                                                                          \
		REFUSED(QBB_E_PACKET, #field, qbb_node_receive(to, 1000, QBB_NEVER, 0, &p, a, ROOM));       \
	} while (0)
	BAD_PACKET(s.sw, kind, 7);
	BAD_PACKET(s.sw, kind, 255);
	BAD_PACKET(s.sw, src, -1);
	BAD_PACKET(s.sw, dst, 3);
	BAD_PACKET(s.sw, size, 0);
	BAD_PACKET(s.sw, payload, 1063);
	BAD_PACKET(s.sw, prio, 8);
	BAD_PACKET(s.sw, sent, 1001);
	BAD_PACKET(s.sw, seq, -1);
	BAD_PACKET(s.sw, marker, 1);
	BAD_PACKET(s.sw, receiver, 1);
	BAD_PACKET(s.host[1], dst_qp, 64);
	BAD_PACKET(s.host[1], dst_qp, -1);
	BAD_PACKET(s.host[1], src_qp, -1);
	p = good;
	p.kind = QBB_PKT_ACK; /* of a flow that has not been opened */
	REFUSED(QBB_E_PACKET, "dst_qp", qbb_node_receive(s.host[1], 1000, QBB_NEVER, 0, &p, a, ROOM));
	REFUSED(QBB_E_RANGE, "port", qbb_node_receive(s.sw, 1000, QBB_NEVER, 2, &good, a, ROOM));
	REFUSED(QBB_E_NULL, "packet", qbb_node_receive(s.sw, 1000, QBB_NEVER, 0, NULL, a, ROOM));
	REFUSED(QBB_E_NULL, "actions", qbb_node_receive(s.sw, 1000, QBB_NEVER, 0, &good, NULL, ROOM));
	REFUSED(QBB_E_RANGE, "born", qbb_node_receive(s.sw, 1000, 1001, 0, &good, a, ROOM));
	CHECK(qbb_node_counters(s.sw, 0, 1000, &after) == 0);
	CHECK(memcmp(&before, &after, sizeof before) == 0);
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* Actions that do not fit wait; the next event does not overtake them. */
static void fetching(void)
{
	struct small s = make_small("hpcc");
	qbb_flow_config f = a_message(5000);
	qbb_action whole[ROOM], a;
	qbb_packet data[4];
	int32_t qp = -1;
	int n, m;

	n = qbb_nic_open(s.host[0], 0, QBB_NEVER, &f, &qp, whole, ROOM);
	CHECK(n >= 1 && n <= ROOM && qp == 0 && whole[0].kind == QBB_TRANSMIT && whole[0].more);
	data[0] = whole[0].packet;
	CHECK(data[0].has_int && data[0].n_hops == 0 && data[0].payload == 1000 && data[0].dst == 1 && data[0].sent == 0);
	REFUSED(QBB_E_STATE, "sends until", qbb_node_tx_done(s.host[0], whole[0].at - 1, 0, 0, whole, ROOM));

	/* three packets meet at a port that is busy with the first: a link failure drops two */
	CHECK(qbb_node_receive(s.sw, 100, 0, 0, &data[0], whole, ROOM) == 1 && whole[0].kind == QBB_TRANSMIT);
	CHECK(whole[0].packet.n_hops == 1 && whole[0].packet.hops[0].line == LINE && whole[0].packet.hops[0].at == 100);
	CHECK(qbb_node_receive(s.sw, 110, 0, 0, &data[0], whole, ROOM) == 1 && whole[0].kind == QBB_KICK);
	CHECK(qbb_node_receive(s.sw, 120, 0, 0, &data[0], whole, ROOM) == 0);
	CHECK(qbb_switch_depth(s.sw, 1, &a.at) == 0 && a.at == 2 * data[0].size);
	n = qbb_node_set_link(s.sw, 130, 0, 1, 0, NULL, 0);
	CHECK(n == 2);
	REFUSED(QBB_E_PENDING, "qbb_node_more", qbb_node_wake(s.sw, 140, 0, 0, whole, ROOM));
	REFUSED(QBB_E_NULL, "actions", qbb_node_more(s.sw, NULL, 1));
	CHECK(qbb_node_more(s.sw, NULL, 0) == n);
	for (m = n; m > 0; m--) {
		CHECK(qbb_node_more(s.sw, &a, 1) == m);
		CHECK(a.kind == QBB_DROPPED && a.packet.size == data[0].size);
	}
	CHECK(qbb_node_more(s.sw, &a, 1) == 0);
	REFUSED(QBB_E_TIME, "before 130", qbb_node_wake(s.sw, 129, 0, 0, whole, ROOM));
	CHECK(qbb_node_wake(s.sw, 140, 0, 0, whole, ROOM) >= 0);
	CHECK(qbb_node_free(s.sw) == 0);
	REFUSED(QBB_E_HANDLE, "node", qbb_node_free(s.sw));
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* Of the packets of a flow that wait at two ports, the number that went to the longer queue. */
static int to_longer(struct small s, uint8_t balance, int64_t flowlet_gap)
{
	const uint16_t via[2] = {1, 2};
	qbb_switch_config sc;
	qbb_switch_port ports[3];
	qbb_node sw;
	qbb_packet p;
	qbb_action a[ROOM];
	int64_t before[2] = {0, 0}, depth[2];
	int longer = 0;

	memset(ports, 0, sizeof ports);
	for (int i = 0; i < 3; i++)
		ports[i].rate = LINE;
	CHECK(qbb_switch_default(QBB_NATIVE, &sc) == 0 && sc.balance == QBB_ECMP);
	sc.options |= QBB_NO_PFC | QBB_NO_ECN;
	sc.id = 2;
	sc.n_ports = 3;
	sc.ports = ports;
	sc.balance = balance;
	sc.flowlet_gap = flowlet_gap;
	CHECK(qbb_switch_new(s.net, &sc, &sw) == 0 && qbb_node_route(sw, 1, via, 2) == 0);
	memset(&p, 0, sizeof p);
	p.dst = 1;
	p.size = 1062;
	p.prio = 3;
	for (int64_t now = 1; now <= 400; now++) {
		CHECK(qbb_node_receive(sw, now, QBB_NEVER, 0, &p, a, ROOM) >= 0);
		for (int i = 0; i < 2; i++)
			CHECK(qbb_switch_depth(sw, via[i], &depth[i]) == 0);
		longer += (depth[0] > before[0] && before[0] > before[1]) || (depth[1] > before[1] && before[1] > before[0]);
		memcpy(before, depth, sizeof before);
	}
	CHECK(qbb_node_free(sw) == 0);
	return longer;
}

/* A flow keeps its port by hash, and as long as its flowlet lasts; otherwise its packets are spread, the
 * more evenly the more of the load a switch looks at. */
static void balancing(void)
{
	struct small s = make_small("none");
	int n;

	CHECK(qbb_node_free(s.sw) == 0);
	CHECK(to_longer(s, QBB_ECMP, 0) == 398); /* one is sent, one finds both queues empty */
	CHECK(to_longer(s, QBB_FLOWLETS, 1) == 398);
	n = to_longer(s, QBB_FLOWLETS, 0);
	CHECK(n > 150 && n < 250 && n == to_longer(s, QBB_SPRAY, 0));
	n = to_longer(s, QBB_DRILL, 0);
	CHECK(n > 0 && n < 100);
	CHECK(to_longer(s, QBB_ADAPTIVE, 0) == 0);
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

static void flows(void)
{
	struct small s = make_small("hpcc");
	qbb_flow_config f;
	qbb_flow_state st;
	qbb_action a[ROOM];
	int64_t bytes;
	uint16_t via = 1;

#define BAD_FLOW(code, word, change)                                                                    \
	do {                                                                                            \
		f = a_message(1000);                                                                    \
		f.change;                                                                               \
		REFUSED(code, word, qbb_nic_open(s.host[0], 0, QBB_NEVER, &f, NULL, a, ROOM));          \
	} while (0)
	BAD_FLOW(QBB_E_VERSION, "qbb_flow_config", size = 3);
	BAD_FLOW(QBB_E_RANGE, "dst", dst = 3);
	BAD_FLOW(QBB_E_STATE, "no route", dst = 0);
	BAD_FLOW(QBB_E_STATE, "no route", dst = 2);
	BAD_FLOW(QBB_E_RANGE, "dst_qp", dst_qp = 64);
	BAD_FLOW(QBB_E_RANGE, "prio", prio = 0);
	BAD_FLOW(QBB_E_RANGE, "prio", prio = 8);
	BAD_FLOW(QBB_E_RANGE, "scheme", scheme = 1);
	BAD_FLOW(QBB_E_RANGE, "bytes", bytes = 0);
	BAD_FLOW(QBB_E_RANGE, "base_rtt", base_rtt = 0);
	BAD_FLOW(QBB_E_RANGE, "first_rto", first_rto = -1);
	REFUSED(QBB_E_HANDLE, "switch", qbb_nic_open(s.sw, 0, QBB_NEVER, &f, NULL, a, ROOM));
	REFUSED(QBB_E_HANDLE, "switch", qbb_nic_reroute(s.sw, 0, QBB_NEVER, a, ROOM));
	REFUSED(QBB_E_HANDLE, "NIC", qbb_switch_depth(s.host[0], 0, &bytes));
	REFUSED(QBB_E_RANGE, "opened 0", qbb_nic_flow(s.host[0], 0, &st));
	f = a_message(1000);
	CHECK(qbb_nic_open(s.host[0], 0, QBB_NEVER, &f, NULL, a, ROOM) >= 1);
	CHECK(qbb_nic_flow(s.host[0], 0, &st) == 0 && st.acked == 0 && !st.done && st.control.rate > 0);
	REFUSED(QBB_E_NULL, "state", qbb_nic_flow(s.host[0], 0, NULL));
	REFUSED(QBB_E_RANGE, "qp", qbb_nic_forget(s.host[0], -1));
	CHECK(qbb_nic_forget(s.host[1], 63) == 0);
	CHECK(qbb_nic_reroute(s.host[0], 1, QBB_NEVER, a, ROOM) >= 0);
	REFUSED(QBB_E_RANGE, "port", qbb_node_route(s.host[0], 1, &via, 1));
	REFUSED(QBB_E_RANGE, "dst", qbb_node_route(s.host[0], 3, &via, 1));
	REFUSED(QBB_E_NULL, "ports", qbb_node_route(s.host[0], 1, NULL, 1));
	CHECK(qbb_node_route(s.host[0], 1, NULL, 0) == 0);
	REFUSED(QBB_E_STATE, "no route", qbb_nic_open(s.host[0], 1, QBB_NEVER, &f, NULL, a, ROOM));
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0);
}

/* A datagram goes through the switch to the other NIC, whose host gets it. */
static void datagrams(void)
{
	struct small s = make_small("hpcc");
	const qbb_datagram good = {.size = sizeof good, .dst = 1, .bytes = 900, .prio = 1, .id = UINT64_C(0xfeedbeef12345678)};
	qbb_datagram d;
	qbb_action a[ROOM];
	qbb_packet sent;

#define BAD_DATAGRAM(code, word, change)                                                       \
	do {                                                                                   \
		d = good;                                                                      \
		d.change;                                                                      \
		REFUSED(code, word, qbb_nic_send(s.host[0], 0, QBB_NEVER, 0, &d, a, ROOM));    \
	} while (0)
	BAD_DATAGRAM(QBB_E_VERSION, "qbb_datagram", size = 0);
	BAD_DATAGRAM(QBB_E_RANGE, "dst", dst = 3);
	BAD_DATAGRAM(QBB_E_RANGE, "itself", dst = 0);
	BAD_DATAGRAM(QBB_E_RANGE, "bytes", bytes = 0);
	BAD_DATAGRAM(QBB_E_RANGE, "bytes", bytes = 1063);
	BAD_DATAGRAM(QBB_E_RANGE, "prio", prio = 0);
	BAD_DATAGRAM(QBB_E_RANGE, "prio", prio = 8);
	REFUSED(QBB_E_NULL, "datagram", qbb_nic_send(s.host[0], 0, QBB_NEVER, 0, NULL, a, ROOM));
	REFUSED(QBB_E_RANGE, "port", qbb_nic_send(s.host[0], 0, QBB_NEVER, 1, &good, a, ROOM));
	REFUSED(QBB_E_HANDLE, "switch", qbb_nic_send(s.sw, 0, QBB_NEVER, 0, &good, a, ROOM));

	CHECK(qbb_nic_send(s.host[0], 0, QBB_NEVER, 0, &good, a, ROOM) == 1 && a[0].kind == QBB_TRANSMIT);
	CHECK(a[0].packet.kind == QBB_PKT_DATAGRAM && a[0].packet.size == 900 && a[0].packet.aux == good.id);
	CHECK(qbb_nic_send(s.host[0], 1, QBB_NEVER, 0, &good, a + 1, ROOM - 1) == 1 && a[1].kind == QBB_KICK);
	REFUSED(QBB_E_STATE, "last datagram", qbb_nic_send(s.host[0], 2, QBB_NEVER, 0, &good, a + 1, ROOM - 1));
	sent = a[0].packet;
	CHECK(qbb_node_receive(s.sw, a[0].at, QBB_NEVER, 0, &sent, a, ROOM) == 1 && a[0].kind == QBB_TRANSMIT && a[0].port == 1);
	sent = a[0].packet;
	CHECK(qbb_node_receive(s.host[1], a[0].at, QBB_NEVER, 0, &sent, a, ROOM) == 1 && a[0].kind == QBB_DELIVERED);
	CHECK(a[0].packet.aux == good.id && a[0].packet.src == 0 && a[0].port == 0);
	/* a packet for another host is dropped */
	CHECK(qbb_node_receive(s.host[0], 1, QBB_NEVER, 0, &sent, a, ROOM) == 1 && a[0].kind == QBB_DROPPED);
	CHECK(qbb_net_free(s.net) == 0 && qbb_scheme_free(s.scheme) == 0); /* one is still held */
}

int main(void)
{
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	configurations();
	coalescing();
	numbers();
	many_ports();
	long_paths();
	packets();
	fetching();
	balancing();
	flows();
	datagrams();
	CHECK(qbb_live() == 0);
	return 0;
}
