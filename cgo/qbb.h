/*
 * qbb.h: congestion-control schemes, NICs and switches of RDMA networks, for any host.
 *
 * Level 1 is one scheme alone, for a host that has its own NIC: qbb_scheme_*, qbb_sender_*.
 * Level 2 is whole devices, for a host that has its own events and links: qbb_net_*,
 * qbb_nic_*, qbb_switch_*, qbb_node_*; with routes and the figures of paths: qbb_topology_*.
 *
 * The library is pure computation. It reads no clock, calls nothing back, opens no file. The
 * host says what has happened and when; the answer says what must happen now.
 *
 * UNITS. Time: picoseconds (int64_t) since the start of the run, from 0 to QBB_TIME_MAX; "no
 * time" is QBB_NEVER. Rates: bit/s. Sizes: bytes. Nodes and ports count from 0. Truth: 0 is no,
 * anything else is yes.
 *
 * ERRORS. Every function that returns int returns a number >= 0 if it has done its job, or one
 * of enum qbb_error. qbb_last_error() says in words what was wrong. A call that fails on what
 * it was given changes nothing and writes to none of its arguments, except where it says so.
 *
 * HANDLES. A handle is a number; 0 is none. It stays invalid once freed: a second free, or a use
 * after it, gives QBB_E_HANDLE. A handle of another kind does too.
 *
 * OWNERSHIP. Structs and arrays belong to the caller. The library copies what it needs and keeps
 * no pointer. Padding and fields named "reserved" should be 0.
 *
 * THREADS. Every function may be called from any thread. Calls for one sender, or for the nodes
 * of one network, are carried out one after the other; different senders and networks do not
 * wait for each other. The order of calls decides results, so one thread should drive a network.
 *
 * PROCESS. The library runs on 64-bit systems. It brings Go's runtime with it, which has threads
 * of its own and cannot be unloaded. Signal handlers of the host need SA_ONSTACK. Do not fork()
 * after loading, except to exec().
 *
 * VERSIONS. QBB_ABI_VERSION changes whenever a struct, a number or a function's type does.
 * qbb_open() compares it, and structs that may grow start with their size.
 */
#ifndef QBB_H
#define QBB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. */
#define QBB_ABI_VERSION 1u
/* The version of the library that this header belongs to. */
#define QBB_VERSION "0.1.0"

/* Times: none, and the largest that is accepted (10,000 s). */
#define QBB_NEVER INT64_MAX
#define QBB_TIME_MAX INT64_C(10000000000000000)
/* The window of a flow that has none. */
#define QBB_UNLIMITED INT64_MAX
/* The most telemetry records that a packet or a signal carries. */
#define QBB_MAX_HOPS 16
/* Traffic classes of a port (IEEE 802.1Q). */
#define QBB_CLASSES 8

/* What went wrong. */
enum qbb_error {
	QBB_E_VERSION = -1,  /* qbb_open was not called, or a version or struct size does not fit */
	QBB_E_HANDLE = -2,   /* no such thing: never made, freed, or of another kind */
	QBB_E_NULL = -3,     /* a pointer is NULL */
	QBB_E_NAME = -4,     /* there is no scheme of this name */
	QBB_E_PARAM = -5,    /* a parameter of a scheme is unknown or wrong */
	QBB_E_RANGE = -6,    /* a number is out of its range */
	QBB_E_TIME = -7,     /* a time lies before that of an earlier call */
	QBB_E_STATE = -8,    /* not now: a sender that has not been started, a port that still sends */
	QBB_E_PENDING = -9,  /* actions of the last call have not been fetched: qbb_node_more */
	QBB_E_PACKET = -10,  /* a packet that no peer can have sent */
	QBB_E_FULL = -11,    /* too many handles */
	QBB_E_BROKEN = -12,  /* a bug of the library; the object can only be freed */
	QBB_E_INTERNAL = -13 /* a bug of the library */
};

typedef uint64_t qbb_scheme; /* a configured scheme */
typedef uint64_t qbb_sender; /* the reaction point of one flow */
typedef uint64_t qbb_net;    /* what the devices of one network share */
typedef uint64_t qbb_node;   /* a NIC or a switch */
typedef uint64_t qbb_topology; /* links, routes, and the figures of paths */

/* --- Level 1: one scheme ---------------------------------------------------------------- */

/* One in-band telemetry record, as a switch writes it. Times and counts are in the units of the
 * qbb_int_format and wrap as it says. */
typedef struct qbb_hop {
	int64_t line;      /* rate of the egress link */
	uint64_t at;       /* time stamp */
	uint64_t tx;       /* bytes that the port had sent before */
	uint64_t queue;    /* bytes queued at the port */
	uint32_t flows;    /* active flows, where the switch counts them */
	uint32_t reserved;
} qbb_hop;

/* Units, widths and number of telemetry records: fill it with qbb_int_full or
 * qbb_int_quantised. All zero: full records. */
typedef struct qbb_int_format {
	int64_t time_unit;   /* of qbb_hop.at */
	int64_t tx_unit;     /* of qbb_hop.tx */
	int64_t queue_unit;  /* of qbb_hop.queue */
	uint64_t time_mask;  /* at wraps to at & time_mask */
	uint64_t tx_mask;
	uint64_t queue_mask;
	int32_t max_hops;    /* records kept, at most QBB_MAX_HOPS */
	int32_t reserved;
} qbb_int_format;

/* How transmission times are computed. */
enum qbb_timing {
	QBB_EXACT = 0,      /* whole picoseconds, rounded up */
	QBB_FIXED_NANOS = 1 /* as ns-3: whole nanoseconds, through 64.64 fixed point, truncated */
};

/* What a sender reports having happened: the kinds of qbb_signal. */
enum qbb_signal_kind {
	QBB_TIMER = 0,  /* qbb_control.wake has come */
	QBB_SENT = 1,   /* a data packet has left: bytes */
	QBB_ACK = 2,    /* an ACK or NACK has arrived */
	QBB_NOTIFY = 3, /* CNP, BECN, or the ECN echo of an ACK (notify_is_echo): aux */
	QBB_SWITCH = 4, /* a notification of a congestion point: feedback, aux */
	QBB_GRANT = 5,  /* a receiver's grant: aux */
	QBB_LOSS = 6,   /* a loss was detected */
	QBB_PATH = 7    /* the path has changed */
};

/* Flags of a qbb_signal. */
enum qbb_signal_flag {
	QBB_ECE = 1,     /* the acknowledged packet carried congestion experienced */
	QBB_IS_NACK = 2, /* the acknowledgement is negative */
	QBB_TIMEOUT = 4  /* the loss was found by the retransmission timer */
};

/* What a scheme wants the network to provide: bits of qbb_traits.needs. */
enum qbb_need {
	QBB_NEED_ECN = 1,         /* data packets are ECN-capable */
	QBB_NEED_INT = 2,         /* switches append records to data packets */
	QBB_NEED_ACK_PER_DATA = 4 /* one ACK for every data packet */
};

/* One-shot requests: bits of qbb_control.orders. */
enum qbb_order {
	QBB_REPACE = 1, /* move the gap that runs since the last packet to the new rate */
	QBB_PROBE = 2   /* send a packet now, window or not */
};

/* What a scheme hears and needs. */
typedef struct qbb_traits {
	char name[32];
	uint32_t hears;         /* bit k: it wants signals of kind k; others need not be sent */
	uint32_t needs;         /* enum qbb_need */
	int32_t lazy_timers;    /* timer signals may wait until the answer is next used */
	int32_t notify_is_echo; /* an ACK's ECN echo is a notification: send NOTIFY before ACK */
	int32_t header_bytes;   /* what it adds to every data packet and ACK ... */
	int32_t hop_bytes;      /* ... and for each hop */
	int32_t has_receiver;   /* it has notification points in receiving NICs (level 2) */
	int32_t has_marker;     /* it has congestion points in switches (level 2) */
} qbb_traits;

/* What a sender is told of its flow. */
typedef struct qbb_flow {
	uint32_t size;         /* sizeof(qbb_flow) */
	int32_t id;            /* of the flow; chooses its random stream */
	int64_t line;          /* rate of the NIC port, at least 1 */
	int64_t min_rate;      /* floor of the rate; 0: none */
	int64_t base_rtt;      /* round trip without queueing, at least 1; line * base_rtt at most 256 MiB */
	int64_t window;        /* line * base_rtt, rounded the host's way; 0: the host sets none */
	int64_t mtu;           /* payload of a full packet, at least 1 */
	int64_t bytes;         /* of the flow; 0 if not known */
	int32_t hops;          /* links of the path */
	int32_t timing;        /* enum qbb_timing */
	uint64_t seed;         /* of the random streams */
	qbb_int_format format; /* of telemetry records */
} qbb_flow;

/* One thing that a sender hears. Fields that a kind does not name are not looked at. */
typedef struct qbb_signal {
	int64_t now;
	int64_t born;      /* when the event now running was scheduled; QBB_NEVER: timers that are due
	                      now fire before it */
	int32_t kind;      /* enum qbb_signal_kind */
	uint32_t flags;    /* enum qbb_signal_flag */
	int64_t bytes;     /* ACK: newly acknowledged; SENT: bytes on the wire */
	int64_t marked;    /* ACK: of these, marked by ECN */
	int64_t acked;     /* ACK: next byte that the receiver expects */
	int64_t next;      /* next byte to be sent */
	int64_t in_flight; /* next less the first unacknowledged byte */
	int64_t sent_at;   /* ACK: when the acknowledged packet was made */
	int64_t rtt;       /* ACK: now - sent_at */
	int64_t host_time; /* ACK: time spent in the receiving host, where reported */
	uint64_t aux;      /* digest, CNP field, grant */
	int32_t feedback;  /* SWITCH: quantised feedback */
	uint32_t n_hops;   /* ACK: telemetry records of the acknowledged packet, at most QBB_MAX_HOPS */
	const qbb_hop *hops; /* n_hops of them; read during the call only */
} qbb_signal;

/* A sender's answer. A packet of n wire bytes that leaves at t lets the next one leave no earlier
 * than t + 8 n/rate + gap, and only while the bytes in flight are fewer than window. */
typedef struct qbb_control {
	int64_t window;  /* most bytes in flight; QBB_UNLIMITED: any */
	int64_t rate;    /* from 1 to the line rate */
	int64_t gap;     /* fixed delay after every packet */
	int64_t wake;    /* when to send a QBB_TIMER; QBB_NEVER: no need */
	uint32_t orders; /* enum qbb_order; each is given once */
	uint32_t reserved;
} qbb_control;

/* --- Level 2: devices ------------------------------------------------------------------- */

/* A host makes a topology, a network, and the nodes of it, and then goes round: tell a node
 * what happens at a port, carry out the actions that it answers with. A TRANSMIT puts a packet
 * on the link; it reaches the peer's port after the propagation delay. A port that sends is told
 * TX_DONE only if it asked for that. examples/dumbbell.c is such a host. */

/* Kinds of packet. */
enum qbb_packet_kind {
	QBB_PKT_DATA = 0,
	QBB_PKT_ACK = 1,   /* positive acknowledgement up to seq */
	QBB_PKT_NACK = 2,  /* negative acknowledgement: seq is expected next */
	QBB_PKT_PAUSE = 3, /* PFC frame (IEEE 802.1Qbb): aux; goes to the neighbour */
	QBB_PKT_CNP = 4,   /* congestion notification, receiver to sender */
	QBB_PKT_CNM = 5,   /* congestion notification, switch to sender (IEEE 802.1Qau) */
	QBB_PKT_GRANT = 6  /* a receiver's grant */
};

/* Flags of a packet. */
enum qbb_packet_flag {
	QBB_PKT_ECT = 1,  /* ECN-capable */
	QBB_PKT_CE = 2,   /* congestion experienced */
	QBB_PKT_ECE = 4,  /* echo of CE to the sender */
	QBB_PKT_LAST = 8, /* last packet of its flow */
	QBB_PKT_RTX = 16  /* retransmission */
};

/* A packet by value. What a device has sent must reach the peer's device unchanged, all fields of
 * it. Of hops, the first min(n_hops, max_hops of the network's format) are valid if has_int. */
typedef struct qbb_packet {
	int32_t src;       /* node */
	int32_t dst;       /* node */
	int32_t src_qp;    /* queue pair at src */
	int32_t dst_qp;    /* queue pair at dst */
	int32_t size;      /* bytes on the wire, without preamble and gap */
	int32_t payload;   /* bytes of the message */
	uint16_t src_port;
	uint16_t dst_port;
	uint8_t kind;      /* enum qbb_packet_kind */
	uint8_t prio;      /* traffic class, 0 to 7 */
	uint8_t flags;     /* enum qbb_packet_flag */
	uint8_t n_hops;    /* hops recorded, modulo 256 */
	uint8_t marker;    /* 1 + index of the scheme whose congestion points see it; 0: none */
	uint8_t receiver;  /* 1 + index of the scheme whose notification point hears of it; 0: none */
	uint8_t has_int;   /* it carries telemetry records */
	uint8_t reserved;
	int64_t sent;      /* data: when it was made; an ACK echoes it */
	int64_t seq;       /* data: offset of its first byte; ACK, NACK: next byte expected */
	uint64_t aux;      /* by kind; PAUSE: classes in bits 0-7, time in quanta of 512 bit times in
	                      bits 8-23 (0 resumes), bit 24: until resumed */
	qbb_hop hops[QBB_MAX_HOPS];
} qbb_packet;

/* What a device wants done. */
enum qbb_action_kind {
	QBB_TRANSMIT = 0,      /* put packet on port's link: it is busy until at, and the packet is there
	                          at "at" plus the propagation delay. If more: call tx_done at "at" */
	QBB_KICK = 1,          /* call tx_done for port when it is free, at once if it is already */
	QBB_SET_WAKE = 2,      /* call wake for port at "at"; replaces its earlier one; QBB_NEVER: none */
	QBB_FLOW_DONE = 3,     /* flow (qbb_flow_config.id) has been acknowledged completely */
	QBB_FLOW_FAILED = 4,   /* flow has been given up after too many time-outs */
	QBB_FLOW_RECEIVED = 5, /* the queue pair "flow" has received its last byte */
	QBB_DROPPED = 6,       /* packet was discarded: no buffer, no route, or its link failed */
	QBB_PAUSED = 7,        /* a PFC frame was received on port: it pauses classes (bits) */
	QBB_RESUMED = 8        /* ... it resumes them */
};

/* One thing that a device wants done. */
typedef struct qbb_action {
	int32_t kind;      /* enum qbb_action_kind */
	int32_t port;
	int32_t flow;
	uint8_t more;
	uint8_t classes;
	uint16_t reserved;
	int64_t at;
	qbb_packet packet; /* TRANSMIT, DROPPED; otherwise not written */
} qbb_action;

/* Options of a network: qbb_net_config.options. */
enum qbb_net_option {
	QBB_COMMON_RANDOM = 1 /* draw from the sequences that the ns-3 based reference draws from */
};

/* What the devices of a network share. Fill it with qbb_net_default, then change it. */
typedef struct qbb_net_config {
	uint32_t size;          /* sizeof(qbb_net_config) */
	uint32_t options;       /* enum qbb_net_option */
	uint64_t seed;
	uint64_t mark_stream;   /* QBB_COMMON_RANDOM: number of the first stream that ECN draws from */
	int32_t nodes;          /* nodes are numbered from 0 to nodes-1 */
	int32_t timing;         /* enum qbb_timing */
	int64_t mtu;            /* payload of a full packet */
	int64_t max_rtt;        /* largest base round trip of the network */
	qbb_int_format format;  /* of telemetry records */
	const qbb_scheme *schemes; /* in use; qbb_flow_config.scheme is an index */
	uint32_t n_schemes;     /* at most 255 */
	uint32_t max_qps;       /* queue pairs that may end at a NIC */
} qbb_net_config;

/* Options of a NIC: qbb_nic_config.options. */
enum qbb_nic_option {
	QBB_ACK_FIRST = 1,       /* send acknowledgements whatever class is paused */
	QBB_ACK_DUPLICATES = 2,  /* acknowledge packets that come twice */
	QBB_SKIP_ACKED = 4,      /* do not send again what was acknowledged meanwhile */
	QBB_BACK_TO_ZERO = 8,    /* after a loss fall back to a multiple of chunk */
	QBB_UNPACED = 16,        /* gaps at the line rate, not the flow's */
	QBB_WAKE_FOR_ALL = 32,   /* a stopped flow that is due keeps others from being woken */
	QBB_KEEP_ORDER = 64      /* after a reroute queue pairs stand in the reference's order */
};

/* A NIC. Fill it with qbb_nic_default, then change it. */
typedef struct qbb_nic_config {
	uint32_t size;      /* sizeof(qbb_nic_config) */
	uint32_t options;   /* enum qbb_nic_option */
	int32_t id;         /* its node */
	int32_t header;     /* bytes of a data packet besides payload and what the scheme adds */
	int32_t ack;        /* bytes of an ACK besides what the scheme adds */
	int32_t min_packet; /* least bytes of an ACK; bytes of a CNP or grant */
	int64_t nack_every; /* least time between two NACKs for the same byte */
	int64_t chunk;      /* unit of QBB_BACK_TO_ZERO */
	int64_t rto;        /* time without progress until a flow goes back; 0: no timer */
	int32_t retries;    /* time-outs in a row until a flow is given up; 0: any number */
	uint32_t n_ports;
	const int64_t *rates; /* of each port */
} qbb_nic_config;

/* A flow that a NIC shall send. */
typedef struct qbb_flow_config {
	uint32_t size;        /* sizeof(qbb_flow_config) */
	int32_t id;           /* the caller's number; chooses its random stream */
	int32_t dst;          /* node */
	int32_t dst_qp;       /* queue pair at dst, below max_qps: one for each flow that ends there */
	uint16_t src_port;
	uint16_t dst_port;
	uint8_t prio;         /* traffic class, 1 to 7 */
	uint8_t scheme;       /* index into qbb_net_config.schemes */
	uint8_t scale_window; /* multiply window by rate/line rate */
	uint8_t reserved;
	int32_t hops;         /* links of the path */
	int32_t reserved2;
	int64_t bytes;        /* at least 1 */
	int64_t base_rtt;     /* of the path, at least 1 */
	int64_t window;       /* the host's window beside the scheme's; 0: none */
} qbb_flow_config;

/* A full-duplex link. Ports of a node count from 0 in the order of its links. */
typedef struct qbb_link {
	int32_t a;        /* node */
	int32_t b;        /* node */
	int64_t rate;
	int64_t delay;    /* propagation, one way */
	int32_t down;     /* it has failed: routes avoid it, its ports keep their numbers */
	int32_t reserved;
} qbb_link;

/* A topology. Fill it with qbb_topology_default, then change it. */
typedef struct qbb_topology_config {
	uint32_t size;         /* sizeof(qbb_topology_config) */
	int32_t timing;        /* enum qbb_timing */
	int32_t descending;    /* equal-cost ports are found by visiting the highest node first */
	int32_t nodes;
	int64_t payload;       /* of a full packet: this and the next two measure the paths */
	int64_t packet;        /* that packet on the wire */
	int64_t ack;           /* its acknowledgement on the wire */
	const uint8_t *kinds;  /* of each node: 0 host, 1 switch */
	const qbb_link *links;
	uint32_t n_links;
	uint32_t reserved;
} qbb_topology_config;

/* The figures of the path between two hosts when nothing else is sent. */
typedef struct qbb_path {
	int64_t rtt;        /* of a full packet and its acknowledgement */
	int64_t bdp;        /* bytes: bottleneck * rtt */
	int64_t bottleneck; /* smallest rate */
	int32_t hops;       /* links */
	int32_t reserved;
} qbb_path;

/* What has become of a flow. */
typedef struct qbb_flow_state {
	int64_t acked;         /* bytes */
	int64_t retransmitted; /* bytes sent again */
	int64_t marked;        /* acknowledgements with the ECN echo */
	int64_t timeouts;
	qbb_control control;   /* the scheme's answer as it now stands */
	int32_t done;          /* finished or given up */
	int32_t reserved;
} qbb_flow_state;

/* Options of a switch: qbb_switch_config.options. */
enum qbb_switch_option {
	QBB_NO_PFC = 1,
	QBB_NO_ECN = 2,
	QBB_MARK_AT_ENQUEUE = 4, /* ECN looks at the queue found on arrival */
	QBB_MARK_ANY = 8,        /* mark packets that are not ECN-capable too */
	QBB_WRAP32 = 16,         /* dynamic thresholds in unsigned 32-bit arithmetic */
	QBB_KEEP_ON_FLUSH = 32   /* packets lost with their link stay accounted */
};

/* A port of a switch. */
typedef struct qbb_switch_port {
	int64_t rate;
	int64_t headroom; /* PFC headroom of the port's ingress */
	int64_t kmin;     /* ECN: no marking up to here; QBB_UNLIMITED: never */
	int64_t kmax;     /* ECN: every packet above */
	double pmax;      /* ECN: probability at kmax */
	uint32_t shift;   /* dynamic threshold: rest of the shared memory >> shift, at most 63 */
	uint32_t reserved;
} qbb_switch_port;

/* A switch. Fill it with qbb_switch_default, then change it. */
typedef struct qbb_switch_config {
	uint32_t size;          /* sizeof(qbb_switch_config) */
	uint32_t options;       /* enum qbb_switch_option */
	int32_t id;             /* its node */
	int32_t pause_size;     /* bytes of a PFC frame */
	int32_t pause_quanta;   /* time of a pause in units of 512 bit times; 0: until resumed */
	int32_t notice_size;    /* bytes of a congestion notification message */
	int64_t buffer;         /* memory */
	int64_t reserve;        /* of it, for each port */
	int64_t resume;         /* a pause ends this much below the threshold */
	uint32_t n_ports;
	uint32_t reserved;
	const qbb_switch_port *ports;
} qbb_switch_config;

/* What a port has done and suffered since the start. */
typedef struct qbb_counters {
	int64_t tx_bytes;
	int64_t tx_packets;
	int64_t rx_bytes;
	int64_t rx_packets;
	int64_t max_queue;        /* bytes */
	int64_t marked;           /* packets that left with congestion experienced set here */
	int64_t dropped_packets;  /* arrivals on the port */
	int64_t dropped_bytes;
	int64_t pauses_sent;
	int64_t resumes_sent;
	int64_t pauses_received;
	int64_t resumes_received;
	int64_t paused_for;       /* time that classes were paused, summed over classes */
	int64_t waited;           /* time with something to send, none of which might be sent */
} qbb_counters;

/* Sets of choices for the _default functions. */
enum qbb_profile {
	QBB_NATIVE = 0, /* exact times, PFC with expiry, retransmission timers */
	QBB_NS3 = 1     /* what the ns-3 based reference simulator does */
};

#ifndef QBB_TYPES_ONLY

/* Checks that the library and this header fit: qbb_open(QBB_ABI_VERSION). Call it first; again
 * does no harm. Gives 0 or QBB_E_VERSION. */
int qbb_open(uint32_t abi);

/* The version of the library, such as "0.1.0". The text is the library's and stays. */
const char *qbb_version(void);

/* Why the last call of this thread that failed did: one line of text, "" if none has. It is valid
 * until the next failure on this thread. */
const char *qbb_last_error(void);

/* The number of handles of all kinds that have been made and not freed. */
int64_t qbb_live(void);

/* Fills format with records of full resolution, for up to max_hops (1 to QBB_MAX_HOPS). */
int qbb_int_full(int32_t max_hops, qbb_int_format *format);

/* Fills format with HPCC's record of 64 bits and five hops, its units times multi (1 to 65536). */
int qbb_int_quantised(int32_t multi, qbb_int_format *format);

/* The name of scheme number i of the catalog, or NULL beyond its end. The text is the library's
 * and stays. */
const char *qbb_scheme_name(uint32_t i);

/* Makes a scheme. name is one of the catalog; params is NULL or "" for the defaults, or
 * "name=value,name=value", or a JSON object whose values are texts, numbers or truths:
 * {"eta": 0.95, "ai": "50Mbps"}. Rates, times and sizes have units: 40Gbps, 55us, 300KB. */
int qbb_scheme_new(const char *name, const char *params, qbb_scheme *scheme);

/* Tells what the scheme hears and needs. */
int qbb_scheme_traits(qbb_scheme scheme, qbb_traits *traits);

/* Frees a scheme. Senders and networks that use it are not affected. */
int qbb_scheme_free(qbb_scheme scheme);

/* Makes a sender. It has to be started before it is stepped. */
int qbb_sender_new(qbb_scheme scheme, qbb_sender *sender);

/* Starts a flow at the time now, also with a sender that has served another one, and writes the
 * first answer. */
int qbb_sender_start(qbb_sender sender, int64_t now, const qbb_flow *flow, qbb_control *control);

/* Digests one signal, not earlier than the last one, and writes the whole answer. The cost grows
 * with the number of timers of the scheme that have come since. */
int qbb_sender_step(qbb_sender sender, const qbb_signal *signal, qbb_control *control);

/* Digests n signals in one call: senders[i] hears signals[i] and answers in controls[i]. A
 * sender may occur several times. It stops at the first error, which it returns; *done, unless
 * NULL, tells how many were digested. */
int qbb_sender_step_batch(const qbb_sender *senders, const qbb_signal *signals, qbb_control *controls,
                          size_t n, size_t *done);

/* Frees a sender. */
int qbb_sender_free(qbb_sender sender);

/* Fills config with the choices of a profile (enum qbb_profile): 1000 bytes of payload, one node,
 * no schemes. */
int qbb_net_default(int32_t profile, qbb_net_config *config);

/* Fills config with the choices of a profile: node 0, no ports. */
int qbb_nic_default(int32_t profile, qbb_nic_config *config);

/* Fills config with the choices of a profile: node 0, no ports, 32 MB. */
int qbb_switch_default(int32_t profile, qbb_switch_config *config);

/* Makes a network without nodes. */
int qbb_net_new(const qbb_net_config *config, qbb_net *net);

/* Frees a network and all its nodes. */
int qbb_net_free(qbb_net net);

/* Makes a NIC without routes. Every port needs a rate. */
int qbb_nic_new(qbb_net net, const qbb_nic_config *config, qbb_node *node);

/* Makes a switch without routes. */
int qbb_switch_new(qbb_net net, const qbb_switch_config *config, qbb_node *node);

/* Frees a node and the packets that it holds. */
int qbb_node_free(qbb_node node);

/* Sets the ports of the equal-cost paths from the node towards node dst; n = 0: none is set. A
 * packet takes ports[h mod n], where h is a hash of its flow seeded by the node. */
int qbb_node_route(qbb_node node, int32_t dst, const uint16_t *ports, uint32_t n);

/* Fills config with the choices of a profile: 1000 bytes of payload, no nodes. */
int qbb_topology_default(int32_t profile, qbb_topology_config *config);

/* Makes a topology: two hosts or more, joined by switches. */
int qbb_topology_new(const qbb_topology_config *config, qbb_topology *topology);

/* Tells the figures of the path from host src to host dst. */
int qbb_topology_path(qbb_topology topology, int32_t src, int32_t dst, qbb_path *path);

/* Tells the largest rtt, bdp and hops of all pairs of hosts; bottleneck is 0. */
int qbb_topology_largest(qbb_topology topology, qbb_path *path);

/* Frees a topology. Nodes that take its routes are not affected. */
int qbb_topology_free(qbb_topology topology);

/* Makes the node, which has the same number in both, take the routes of a topology wherever
 * qbb_node_route has not set one. The topology has as many nodes as the network. */
int qbb_node_routes(qbb_node node, qbb_topology topology);

/* The functions below tell a node what happens at the time now; born is when the event now running
 * was scheduled, or QBB_NEVER (see qbb_signal.born). Each returns the number of actions, which
 * must be carried out in order, and writes the first cap of them to actions. If there are more,
 * fetch them with qbb_node_more before the next of these calls. */

/* A packet has arrived on a port. */
int qbb_node_receive(qbb_node node, int64_t now, int64_t born, uint32_t port, const qbb_packet *packet,
                     qbb_action *actions, uint32_t cap);

/* The port is free again. Call it only where a TRANSMIT said more or a KICK followed. */
int qbb_node_tx_done(qbb_node node, int64_t now, int64_t born, uint32_t port, qbb_action *actions, uint32_t cap);

/* The time of the port's SET_WAKE has come. Early or repeated calls do no harm. */
int qbb_node_wake(qbb_node node, int64_t now, int64_t born, uint32_t port, qbb_action *actions, uint32_t cap);

/* The port's link has gone down (up = 0) or come up. */
int qbb_node_set_link(qbb_node node, int64_t now, int64_t born, uint32_t port, int32_t up, qbb_action *actions,
                      uint32_t cap);

/* A flow starts. *qp, unless NULL, is set to its number at this NIC. */
int qbb_nic_open(qbb_node nic, int64_t now, int64_t born, const qbb_flow_config *flow, int32_t *qp,
                 qbb_action *actions, uint32_t cap);

/* The routes have changed: flows are bound to ports anew. */
int qbb_nic_reroute(qbb_node nic, int64_t now, int64_t born, qbb_action *actions, uint32_t cap);

/* Writes the next cap of the actions that did not fit, and returns how many there were. */
int qbb_node_more(qbb_node node, qbb_action *actions, uint32_t cap);

/* Tells what has become of the flow with number qp at this NIC. */
int qbb_nic_flow(qbb_node nic, int32_t qp, qbb_flow_state *state);

/* Makes the receiving side of queue pair qp as new. */
int qbb_nic_forget(qbb_node nic, int32_t qp);

/* Reads a port's counters, at a time not before the last event. */
int qbb_node_counters(qbb_node node, uint32_t port, int64_t now, qbb_counters *counters);

/* Reads the bytes queued at a switch's port, queue 0 excepted. */
int qbb_switch_depth(qbb_node node, uint32_t port, int64_t *bytes);

#endif /* QBB_TYPES_ONLY */

#ifdef __cplusplus
}
#endif

#endif /* QBB_H */
