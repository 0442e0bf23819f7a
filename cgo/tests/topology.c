/* Topologies: what is refused, the figures of paths, and routes around a failed link. */
#include "check.h"

/* Hosts 0 and 1 at switches 2 and 3, which are joined by way of 4 and of 5. */
enum { NODES = 6, LINKS = 6 };

static const uint8_t kinds[NODES] = {0, 0, 1, 1, 1, 1};
static qbb_link links[LINKS];

static qbb_topology_config config(int32_t profile)
{
	static const int ends[LINKS][2] = {{0, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}};
	qbb_topology_config c;

	for (int i = 0; i < LINKS; i++) {
		memset(&links[i], 0, sizeof links[i]);
		links[i].a = ends[i][0];
		links[i].b = ends[i][1];
		links[i].rate = LINE;
		links[i].delay = 1000000;
	}
	CHECK(qbb_topology_default(profile, &c) == 0);
	c.nodes = NODES;
	c.kinds = kinds;
	c.links = links;
	c.n_links = LINKS;
	return c;
}

static void refused(void)
{
	qbb_topology_config c;
	qbb_topology t = 77;
	qbb_path p;

#define BAD(code, word, change)                                \
	do {                                                   \
		c = config(QBB_NATIVE);                        \
		change;                                        \
		REFUSED(code, word, qbb_topology_new(&c, &t)); \
		CHECK(t == 77);                                \
	} while (0)
	BAD(QBB_E_VERSION, "qbb_topology_config", c.size = 0);
	BAD(QBB_E_RANGE, "timing", c.timing = 2);
	BAD(QBB_E_RANGE, "nodes", c.nodes = 0);
	BAD(QBB_E_RANGE, "there is no node 5", c.nodes = 5);
	BAD(QBB_E_RANGE, "n_links", c.n_links = 0);
	BAD(QBB_E_RANGE, "host 0 cannot reach host 1", links[3].b = 4; links[4].b = 5);
	BAD(QBB_E_RANGE, "payload", c.payload = 0);
	BAD(QBB_E_RANGE, "packet", c.packet = -1);
	BAD(QBB_E_RANGE, "ack", c.ack = INT64_MAX);
	BAD(QBB_E_NULL, "kinds", c.kinds = NULL);
	BAD(QBB_E_NULL, "links", c.links = NULL);
	BAD(QBB_E_RANGE, "the rate 0bps is not above zero", links[3].rate = 0);
	BAD(QBB_E_RANGE, "is above 1000Tbps", links[3].rate = 1000000000000001);
	BAD(QBB_E_RANGE, "the delay -1ps is negative", links[3].delay = -1);
	BAD(QBB_E_RANGE, "is above 3600s", links[3].delay = INT64_MAX);
	BAD(QBB_E_RANGE, "both ends are node", links[3].a = 5);
	BAD(QBB_E_RANGE, "there is no node -1", links[3].a = -1);
	REFUSED(QBB_E_RANGE, "profile", qbb_topology_default(-1, &c));
	REFUSED(QBB_E_NULL, "config", qbb_topology_new(NULL, &t));
	c = config(QBB_NATIVE);
	REFUSED(QBB_E_NULL, "topology", qbb_topology_new(&c, NULL));
	CHECK(qbb_topology_new(&c, &t) == 0);
	REFUSED(QBB_E_RANGE, "two hosts", qbb_topology_path(t, 0, 2, &p));
	REFUSED(QBB_E_RANGE, "two hosts", qbb_topology_path(t, 0, NODES - 1, &p));
	REFUSED(QBB_E_RANGE, "two hosts", qbb_topology_path(t, 1, 1, &p));
	REFUSED(QBB_E_RANGE, "dst", qbb_topology_path(t, 0, NODES, &p));
	REFUSED(QBB_E_NULL, "path", qbb_topology_path(t, 0, 1, NULL));
	REFUSED(QBB_E_NULL, "path", qbb_topology_largest(t, NULL));
	CHECK(qbb_topology_free(t) == 0);
	REFUSED(QBB_E_HANDLE, "topology", qbb_topology_free(t));
	REFUSED(QBB_E_HANDLE, "topology", qbb_topology_largest(t, &p));
}

/* Four links of 100 Gb/s and 1 us. */
static void figures(void)
{
	qbb_topology_config c = config(QBB_NATIVE);
	qbb_topology t;
	qbb_path p, largest;

	CHECK(qbb_topology_new(&c, &t) == 0 && qbb_topology_path(t, 0, 1, &p) == 0);
	CHECK(p.hops == 4 && p.bottleneck == LINE);
	CHECK(p.rtt == 8 * 1000000 + 4 * (1062 + 66) * 80 && p.bdp == p.rtt / 80); /* 80 ps a byte */
	CHECK(qbb_topology_largest(t, &largest) == 0);
	CHECK(largest.rtt == p.rtt && largest.bdp == p.bdp && largest.hops == 4);
	CHECK(qbb_topology_free(t) == 0);

	c = config(QBB_NS3); /* payload only, whole nanoseconds */
	CHECK(qbb_topology_new(&c, &t) == 0 && qbb_topology_path(t, 0, 1, &p) == 0);
	CHECK(p.rtt == 8 * 1000000 + 4 * 80000 && p.bdp == p.rtt / 80);
	CHECK(qbb_topology_free(t) == 0);
}

/* A switch with two equal paths uses the one that is up. */
static void failures(void)
{
	qbb_topology_config c = config(QBB_NATIVE);
	qbb_topology whole, half, none;
	qbb_net_config nc;
	qbb_switch_config sc;
	qbb_switch_port ports[3];
	qbb_net net;
	qbb_node sw, wrong;
	qbb_packet p;
	qbb_action a[4];
	qbb_path path;
	int used[3] = {0};
	int64_t now = 0;

	CHECK(qbb_topology_new(&c, &whole) == 0);
	links[2].down = 1; /* port 1 of switch 2 */
	CHECK(qbb_topology_new(&c, &half) == 0);
	links[3].down = 1;
	CHECK(qbb_topology_new(&c, &none) == 0);
	REFUSED(QBB_E_STATE, "no path", qbb_topology_path(none, 0, 1, &path));
	CHECK(qbb_net_default(QBB_NATIVE, &nc) == 0);
	nc.nodes = NODES;
	CHECK(qbb_net_new(&nc, &net) == 0);
	memset(ports, 0, sizeof ports);
	for (int i = 0; i < 3; i++) {
		ports[i].rate = LINE;
		ports[i].kmin = ports[i].kmax = QBB_UNLIMITED;
	}
	CHECK(qbb_switch_default(QBB_NATIVE, &sc) == 0);
	sc.id = 2;
	sc.ports = ports;
	sc.n_ports = 2;
	CHECK(qbb_switch_new(net, &sc, &wrong) == 0);
	REFUSED(QBB_E_RANGE, "3 ports in the topology", qbb_node_routes(wrong, whole));
	CHECK(qbb_node_free(wrong) == 0);
	sc.n_ports = 3;
	CHECK(qbb_switch_new(net, &sc, &sw) == 0);
	CHECK(qbb_node_routes(sw, whole) == 0);
	memset(&p, 0, sizeof p);
	p.dst = 1;
	p.size = 64;
	p.prio = 1;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 64; i++) {
			p.src_port = (uint16_t)i;
			now += 1000000;
			CHECK(qbb_node_receive(sw, now, QBB_NEVER, 0, &p, a, 4) == 1);
			used[round == 2 ? 0 : a[0].port] += a[0].kind == QBB_TRANSMIT;
		}
		if (round == 0) {
			CHECK(used[0] == 0 && used[1] > 10 && used[2] > 10 && used[1] + used[2] == 64);
			CHECK(qbb_node_routes(sw, half) == 0);
			used[1] = used[2] = 0;
		} else if (round == 1) {
			CHECK(used[1] == 0 && used[2] == 64);
			CHECK(qbb_node_routes(sw, none) == 0);
			used[0] = 0;
		} else {
			CHECK(used[0] == 0 && a[0].kind == QBB_DROPPED);
		}
	}
	CHECK(qbb_topology_free(whole) == 0 && qbb_topology_free(half) == 0 && qbb_topology_free(none) == 0);
	CHECK(qbb_net_free(net) == 0);
}

int main(void)
{
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	refused();
	figures();
	failures();
	CHECK(qbb_live() == 0);
	return 0;
}
