/* Hosts a run: the devices are the scenario's, events and links this program's. Then the library's
 * own loop runs the same scenario: every flow must take the same time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <qbb.h>

static const char text[] = "topology: leaf-spine:leaves=2,spines=2,hosts=4\nworkload: none\nincast: 6x100KB@50us\nduration: 100us\n"
                           "patterns: [\"one-many:10KB,3\"]\ncc: dcqcn\nloss: 0.001\noptions: {order: schedule}\n";

enum { MOST = 4096, ROOM = 32, NODES = 16, PORTS = 16 };
enum kind { START, ARRIVE, TX_DONE, WAKE };
struct event { int64_t at, born; uint64_t seq; enum kind kind; int32_t node; uint32_t what; qbb_packet packet; };
struct port { int32_t peer; uint32_t peer_port; int64_t delay; uint64_t wake; int sending, wanted; };

static struct event events[MOST];
static struct port ports[NODES][PORTS];
static qbb_node nodes[NODES];
static int32_t src[MOST], after[MOST];
static int64_t start[MOST], fct[2][MOST], now;
static uint64_t seq;
static int pending;

static int must(int code)
{
	if (code < 0 || pending == MOST)
		exit((fprintf(stderr, "hosted: %s\n", code < 0 ? qbb_last_error() : "too many events"), 1));
	return code;
}
static struct event *push(int64_t at, enum kind kind, int32_t node, uint32_t what)
{
	events[pending] = (struct event){.at = at, .born = now, .seq = ++seq, .kind = kind, .node = node, .what = what};
	return &events[pending++];
}
static struct event pop(void) /* the earliest; of equal times the one scheduled first */
{
	struct event *first = events, e;

	for (struct event *x = events; x < events + pending; x++)
		if (x->at < first->at || (x->at == first->at && x->seq < first->seq))
			first = x;
	e = *first;
	*first = events[--pending];
	return e;
}
static void obey(int32_t node, int64_t born, int n, const qbb_action *a)
{
	qbb_action more[ROOM];

	for (must(n <= ROOM ? n : -1); n-- > 0; a++) {
		struct port *p = &ports[node][a->port];

		if (a->kind == QBB_TRANSMIT) {
			p->sending = 1, p->wanted = a->more;
			push(a->at, TX_DONE, node, (uint32_t)a->port);
			push(a->at + p->delay, ARRIVE, p->peer, p->peer_port)->packet = a->packet;
		} else if (a->kind == QBB_KICK && p->sending)
			p->wanted = 1;
		else if (a->kind == QBB_KICK)
			obey(node, born, qbb_node_tx_done(nodes[node], now, born, (uint32_t)a->port, more, ROOM), more);
		else if (a->kind == QBB_SET_WAKE)
			p->wake = a->at == QBB_NEVER ? 0 : push(a->at, WAKE, node, (uint32_t)a->port)->seq;
		else if (a->kind == QBB_FLOW_READY)
			push(a->at, START, src[a->flow], (uint32_t)a->flow);
	}
}
static void handle(qbb_run run, const struct event *e)
{
	struct port *p = &ports[e->node][e->what % PORTS];
	qbb_action a[ROOM];
	int n = 0;

	if (e->kind == START)
		n = qbb_run_open(run, now, e->born, e->what, a, ROOM);
	else if (e->kind == ARRIVE && !must(qbb_node_lost(nodes[e->node], now, e->what)))
		n = qbb_node_receive(nodes[e->node], now, e->born, e->what, &e->packet, a, ROOM);
	else if (e->kind == WAKE && p->wake == e->seq)
		n = qbb_node_wake(nodes[e->node], now, e->born, e->what, a, ROOM);
	else if (e->kind == TX_DONE && (p->sending = 0, p->wanted))
		n = qbb_node_tx_done(nodes[e->node], now, e->born, e->what, a, ROOM);
	obey(e->node, e->born, n, a);
}
int main(void)
{
	qbb_scenario scenario;
	qbb_run run[2]; /* hosted, and not */
	qbb_run_info info = {.size = sizeof info};
	qbb_run_link l[NODES * PORTS];

	must(qbb_open(QBB_ABI_VERSION) | qbb_scenario_read(NULL, text, sizeof text - 1, &scenario));
	for (int i = 0; i < 2; i++)
		must(qbb_run_new(scenario, i == 0 ? QBB_RUN_HOSTED : 0, &run[i]));
	must(qbb_run_describe(run[0], &info));
	must(qbb_run_flows(run[0], 0, MOST, &(qbb_flow_columns){.size = sizeof(qbb_flow_columns), .src = src, .after = after, .start = start}));
	for (int i = must(qbb_run_links(run[0], l, NODES * PORTS)) - 1; i >= 0; i--) {
		ports[l[i].a][l[i].a_port] = (struct port){.peer = l[i].b, .peer_port = (uint32_t)l[i].b_port, .delay = l[i].delay};
		ports[l[i].b][l[i].b_port] = (struct port){.peer = l[i].a, .peer_port = (uint32_t)l[i].a_port, .delay = l[i].delay};
	}
	for (int i = 0; i < info.nodes; i++)
		must(qbb_run_node(run[0], i, &nodes[i]));
	for (int i = 0; i < info.flows; i++)
		if (after[i] < 0)
			push(start[i], START, src[i], (uint32_t)i);
	while (pending > 0) {
		const struct event e = pop();

		now = e.at;
		handle(run[0], &e);
	}
	while (must(qbb_run_until(run[1], QBB_NEVER, 0)))
		;
	for (int i = 0; i < 2; i++)
		must(qbb_run_flows(run[i], 0, MOST, &(qbb_flow_columns){.size = sizeof(qbb_flow_columns), .fct = fct[i]}) | qbb_run_free(run[i]));
	printf("%d flows; as long as in the standalone simulator: %s\n", info.flows, memcmp(fct[0], fct[1], sizeof fct[0]) ? "no" : "yes");
	return memcmp(fct[0], fct[1], sizeof fct[0]) != 0;
}
