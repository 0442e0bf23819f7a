/*
 * qbb.h: congestion-control schemes, NICs and switches of RDMA networks, for any host.
 *
 * Level 1 is one scheme alone, for a host that has its own NIC: qbb_scheme_*, qbb_sender_*.
 * Level 2 is whole devices, for a host that has its own events and links: qbb_net_*,
 * qbb_nic_*, qbb_switch_*, qbb_node_*; with routes and the figures of paths: qbb_topology_*.
 * Level 3 is a scenario, read from files or text: qbb_scenario_*, and its run: qbb_run_*, which the
 * library's own event loop moves on, or a host that has its own events and links.
 *
 * The library is pure computation. It reads no clock and calls nothing back. The host says what
 * has happened and when; the answer says what must happen now. The library opens files only in
 * qbb_scenario_load, in qbb_run_new (those that the scenario names), and in qbb_run_write.
 *
 * UNITS. Time: picoseconds (int64_t) since the start of the run, from 0 to QBB_TIME_MAX; "no
 * time" is QBB_NEVER. Rates: bit/s, up to 10^15. Sizes: bytes, up to 2^50. Nodes and ports count from 0.
 * Truth: 0 is no, anything else is yes.
 *
 * ERRORS. Every function that returns int returns a number >= 0 if it has done its job, or one
 * of enum qbb_error. qbb_last_error() says in words what was wrong. A call that rejects its
 * arguments changes nothing and writes to none of them, except where it says so.
 *
 * HANDLES. A handle is a number; 0 is none. It stays invalid once freed: a second free, or a use
 * after it, returns QBB_E_HANDLE. So does a handle of another kind.
 *
 * OWNERSHIP. Structs and arrays belong to the caller. The library copies what it needs and keeps
 * no pointer. Padding and fields named "reserved" should be 0.
 *
 * THREADS. Every function may be called from any thread. Calls for one sender, one scenario, or
 * the nodes of one network or run, are carried out one after the other; different ones do not
 * wait for each other. The order of calls decides results, so one thread should drive a network.
 *
 * PROCESS. The library runs on 64-bit systems. It brings Go's runtime with it, which has threads
 * of its own and cannot be unloaded. Signal handlers of the host need SA_ONSTACK. Do not fork()
 * after loading, except to exec().
 *
 * LANGUAGES. This header is C99 and C++11, and all later ones.
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
#define QBB_ABI_VERSION 8u
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
	QBB_E_NAME = -4,     /* there is no scheme of this name, or none for this tag */
	QBB_E_PARAM = -5,    /* a parameter of a scheme is unknown or wrong */
	QBB_E_RANGE = -6,    /* a number is out of its range */
	QBB_E_TIME = -7,     /* a time lies before that of an earlier call */
	QBB_E_STATE = -8,    /* not now: a sender that has not been started, a port that still sends */
	QBB_E_PENDING = -9,  /* actions of the last call have not been fetched: qbb_node_more */
	QBB_E_PACKET = -10,  /* a packet that no peer can have sent */
	QBB_E_FULL = -11,    /* too many handles */
	QBB_E_BROKEN = -12,  /* a bug of the library; the object can only be freed */
	QBB_E_INTERNAL = -13, /* a bug of the library */
	QBB_E_SCENARIO = -14, /* a scenario, or a file that it names, is wrong: file, line and what to do */
	QBB_E_FILE = -15      /* a file cannot be written */
};

typedef uint64_t qbb_scheme; /* a configured scheme */
typedef uint64_t qbb_sender; /* the reaction point of one flow */
typedef uint64_t qbb_net;    /* what the devices of one network share */
typedef uint64_t qbb_node;   /* a NIC or a switch */
typedef uint64_t qbb_topology; /* links, routes, and the figures of paths */
typedef uint64_t qbb_scenario; /* the options of a simulation */
typedef uint64_t qbb_run;      /* a simulation */

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
	QBB_SWITCH = 4, /* a notification of a congestion point: feedback */
	QBB_GRANT = 5,  /* a receiver's grant: aux */
	QBB_LOSS = 6,   /* the retransmission timer has found a loss (QBB_TIMEOUT), or a switch has trimmed a packet */
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
	QBB_NEED_ACK_PER_DATA = 4 /* one ACK for every data packet: NICs must not coalesce them */
};

/* One-shot requests: bits of qbb_control.orders. */
enum qbb_order {
	QBB_REPACE = 1, /* move the gap that is running since the last packet to the new rate and fixed delay */
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

/* What a sender must know of its flow. */
typedef struct qbb_flow {
	uint32_t size;         /* sizeof(qbb_flow) */
	int32_t id;            /* of the flow; chooses its random stream */
	int64_t line;          /* rate of the NIC port, at least 1 */
	int64_t min_rate;      /* floor of the rate; 0: none */
	int64_t base_rtt;      /* round trip without queueing, 1 to QBB_TIME_MAX */
	int64_t window;        /* line * base_rtt, rounded the host's way; 0: the host sets none */
	int64_t mtu;           /* payload of a full packet, at least 1 */
	int64_t bytes;         /* of the flow; 0 if not known */
	int32_t hops;          /* links of the path, at most QBB_MAX_HOPS */
	int32_t timing;        /* enum qbb_timing */
	uint64_t seed;         /* of the random streams */
	int64_t timeout;       /* what is enough before a round trip has been measured, for a scheme that answers
	                          with a time-out; 0: the host's */
	qbb_int_format format; /* of telemetry records */
} qbb_flow;

/* One thing that a sender hears. Fields that a kind does not name are not used, but must be in their range: 0 is. */
typedef struct qbb_signal {
	int64_t now;
	int64_t born;      /* when the event now running was scheduled; QBB_NEVER: timers that are due
	                      now fire before it */
	int32_t kind;      /* enum qbb_signal_kind */
	uint32_t flags;    /* enum qbb_signal_flag */
	int64_t bytes;     /* ACK: newly acknowledged; SENT: bytes on the wire */
	int64_t marked;    /* ACK: of these, marked by ECN */
	int64_t acked;     /* ACK: next byte that the receiver expects; LOSS, PATH: first unacknowledged byte */
	int64_t next;      /* next byte to be sent */
	int64_t in_flight; /* next less the first unacknowledged byte */
	int64_t sent_at;   /* ACK, SWITCH: when the packet that it answers was made, of several the first */
	int64_t rtt;       /* ACK: now - sent_at */
	int64_t host_time; /* ACK: time spent in the receiving host, where reported */
	uint64_t aux;      /* ACK: what the acknowledged packet carried at last (qbb_control.stamp); else
	                      CNP field, grant */
	int32_t feedback;  /* SWITCH: quantised feedback */
	uint32_t n_hops;   /* ACK: telemetry records of the acknowledged packet, at most QBB_MAX_HOPS */
	const qbb_hop *hops; /* n_hops of them; read during the call only */
} qbb_signal;

/* A sender's answer. After a packet of n wire bytes leaves at t, the next one leaves no earlier
 * than t + 8 n/rate + gap, and only while the bytes in flight are fewer than window. */
typedef struct qbb_control {
	int64_t window;  /* most bytes in flight; QBB_UNLIMITED: any; 0: none before a grant */
	int64_t rate;    /* from 1 to the line rate */
	int64_t gap;     /* fixed delay after every packet */
	int64_t wake;    /* when to send a QBB_TIMER; QBB_NEVER: no need */
	uint64_t stamp;  /* what a data packet carries as its aux when it is made, as of that moment;
	                    congestion points may change it on the way (XCP) */
	int64_t timeout; /* least time without progress after which packets count as lost (TCP); 0: the host's */
	uint32_t orders; /* enum qbb_order; each is given once */
	uint32_t reserved;
} qbb_control;

/* --- Level 2: devices ------------------------------------------------------------------- */

/* A host makes a topology, a network and its nodes, and then repeats: tell a node what happens
 * at a port, carry out the actions that it returns. A TRANSMIT puts a packet on the link; it
 * reaches the peer's port after the propagation delay. Call tx_done for a port that sends only if
 * it asked for that. examples/dumbbell.c is such a host. */

/* Kinds of packet. */
enum qbb_packet_kind {
	QBB_PKT_DATA = 0,
	QBB_PKT_ACK = 1,   /* positive acknowledgement up to seq */
	QBB_PKT_NACK = 2,  /* negative acknowledgement: seq is expected next */
	QBB_PKT_PAUSE = 3, /* PFC frame (IEEE 802.1Qbb): aux; goes to the neighbour */
	QBB_PKT_CNP = 4,   /* congestion notification, receiver to sender */
	QBB_PKT_CNM = 5,   /* congestion notification, switch to sender (IEEE 802.1Qau) */
	QBB_PKT_GRANT = 6, /* a receiver's grant */
	QBB_PKT_CREDIT = 7, /* InfiniBand flow-control packet: aux; goes to the neighbour */
	QBB_PKT_DATAGRAM = 8 /* of a host's other protocols: aux is qbb_datagram.id */
};

/* Flags of a packet. */
enum qbb_packet_flag {
	QBB_PKT_ECT = 1,  /* ECN-capable */
	QBB_PKT_CE = 2,   /* congestion experienced */
	QBB_PKT_ECE = 4,  /* echo of CE to the sender */
	QBB_PKT_LAST = 8, /* last packet of its flow */
	QBB_PKT_RTX = 16, /* retransmission */
	QBB_PKT_NO_ACK_REQ = 32, /* data: does not ask for an acknowledgement */
	QBB_PKT_TRIMMED = 64 /* data: a switch has cut the payload off; NACK: sack names such a packet */
};

/* A packet by value. All fields of what a device has sent must reach the peer's device unchanged.
 * Of hops, the first min(n_hops, max_hops of the network's format) are valid if has_int. */
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
	uint32_t host_nanos; /* ACK: time that the receiving host has taken before, ns */
	int64_t sent;      /* data: when it was made; its ACK or CNM echoes it */
	int64_t seq;       /* data: offset of its first byte; ACK, NACK: next byte expected; CNM: its feedback */
	uint64_t aux;      /* by kind; DATA: qbb_control.stamp, as congestion points have changed it, which
	                      the ACK brings back; CNP, GRANT: its content; PAUSE: classes in bits 0-7, time in
	                      quanta of 512 bit times in bits 8-23 (0 resumes), bit 24: until resumed; CREDIT:
	                      lane in bits 12-15, FCTBS in bits 16-27, FCCL in bits 0-11 */
	int64_t sack;      /* NACK of QBB_SELECTIVE: offset of the packet that has arrived, or was trimmed */
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
	QBB_RESUMED = 8,       /* ... it resumes them */
	QBB_DELIVERED = 9,     /* packet, a datagram, has arrived at its NIC */
	QBB_FLOW_READY = 64    /* hosted runs: flow, which waited for another, is to be opened at "at" */
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
	qbb_packet packet; /* TRANSMIT, DROPPED, DELIVERED; otherwise not written */
} qbb_action;

/* Options of a network: qbb_net_config.options. */
enum qbb_net_option {
	QBB_COMMON_RANDOM = 1, /* draw from the sequences that the ns-3 based reference draws from */
	QBB_CREDIT_REFRESH = 2 /* repeat flow-control packets, as is needed on links that lose packets */
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
	int64_t lane;           /* credit flow control: buffer of a port for each class; 0: PFC instead */
	int64_t credit_update;  /* ... what must have become free before the neighbour is told; less than
	                           lane by at least a full packet */
} qbb_net_config;

/* Options of a NIC: qbb_nic_config.options. */
enum qbb_nic_option {
	QBB_ACK_FIRST = 1,       /* send acknowledgements whatever class is paused */
	QBB_ACK_DUPLICATES = 2,  /* acknowledge packets that come twice */
	QBB_SKIP_ACKED = 4,      /* do not send again what was acknowledged meanwhile */
	QBB_UNPACED = 8,         /* gaps at the line rate, not the flow's */
	QBB_WAKE_FOR_ALL = 16,   /* no wake-up for others while a stopped flow is due or a slow one is waited for; flows
	                            that have ended may cost others a turn */
	QBB_KEEP_ORDER = 32,     /* after a reroute queue pairs stand in the reference's order */
	QBB_ACK_CLASS_3 = 64,    /* a pause of class 3, not of its own class, holds back an acknowledgement */
	QBB_RANDOM_PORTS = 128,  /* source ports are drawn for every packet, not those of flows: packets take several paths */
	QBB_RECYCLED_PORTS = 256, /* ... or are those whose packets have just come through without a mark (REPS) */
	QBB_PLB_PORTS = 512      /* ... or are those of flows until at least half of the acknowledgements have been marked for
	                            12 round trips in a row, for 3 if nothing is in flight, or a time-out has passed, and then
	                            others at random (PLB). Only one of the three; with each allow for packets that overtake
	                            others: reordering */
};

/* What is sent again after a loss: qbb_nic_config.recovery. Both ends of a flow have the same. */
enum qbb_recovery {
	QBB_GO_BACK_N = 0, /* everything from the lost byte on */
	QBB_GO_BACK_0 = 1, /* everything from the start of the lost byte's chunk on */
	QBB_SELECTIVE = 2  /* only what was lost */
};

/* A NIC. Fill it with qbb_nic_default, then change it. */
typedef struct qbb_nic_config {
	uint32_t size;      /* sizeof(qbb_nic_config) */
	uint32_t options;   /* enum qbb_nic_option */
	int32_t id;         /* its node; the network has no other one of this number */
	int32_t header;     /* bytes of a data packet besides payload and what the scheme adds */
	int32_t ack;        /* bytes of an ACK besides what the scheme adds */
	int32_t min_packet; /* least bytes of an ACK; bytes of a CNP or grant */
	int64_t nack_every; /* least time between two NACKs for the same byte */
	int64_t ack_every;  /* data packets to an acknowledgement that a sender asks for, 1 to 1000000; above 1 with time-outs
	                       and QBB_ACK_DUPLICATES, and not if a scheme needs QBB_NEED_ACK_PER_DATA or delays them itself */
	int64_t chunk;      /* unit of QBB_GO_BACK_0 */
	int64_t rto;        /* time without progress until a flow that has none of its own sends again, unless its
	                       scheme answers with a longer one; 0: no timer. Less than a round trip through full switches takes queues for losses */
	int64_t rto_low;    /* QBB_SELECTIVE: rto with at most three packets in flight */
	int64_t reordering; /* QBB_SELECTIVE: how many later packets may overtake one that does not count as lost, at most
	                       1000000; the loss of one of a flow's last packets then takes a time-out */
	int64_t delay;      /* from the end of service of a data packet to its answer */
	int64_t service;    /* of a data packet, one after the other */
	int32_t retries;    /* time-outs in a row until a flow is given up, or go-back-0 gets no farther for as long;
	                       0: any number */
	uint32_t n_ports;   /* 1 to 65535 */
	uint8_t recovery[QBB_CLASSES]; /* of each class: enum qbb_recovery */
	uint8_t ack_control; /* classes (bits) whose acknowledgements are control packets, of class 0, of which switches drop
	                        none: those that they trim (QBB_TRIM) */
	const int64_t *rates; /* of each port */
} qbb_nic_config;

/* A flow for a NIC to send. */
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
	int64_t base_rtt;     /* of the path and the host at its end, 1 to QBB_TIME_MAX */
	int64_t window;       /* the host's window beside the scheme's; 0: none */
	int64_t rto;          /* as qbb_nic_config.rto, which 0 stands for */
	int64_t first_rto;    /* qbb_flow.timeout */
} qbb_flow_config;

/* All that the network knows of a packet of the host's other protocols, such as IP, which it carries
 * to another NIC. Nobody acknowledges it or sends it again. */
typedef struct qbb_datagram {
	uint32_t size;     /* sizeof(qbb_datagram) */
	int32_t dst;       /* node */
	int32_t bytes;     /* on the wire, at most those of a data packet without what schemes add */
	uint16_t src_port; /* these two choose among paths of equal cost */
	uint16_t dst_port;
	uint8_t prio;      /* traffic class, 1 to 7 */
	uint8_t reserved[7];
	uint64_t id;       /* the caller's: qbb_packet.aux */
} qbb_datagram;

/* A full-duplex link. Ports of a node count from 0 in the order of its links. */
typedef struct qbb_link {
	int32_t a;        /* node */
	int32_t b;        /* node */
	int64_t rate;     /* from 1 kb/s to 1000 Tb/s */
	int64_t delay;    /* propagation, one way; at most an hour */
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
	QBB_KEEP_ON_FLUSH = 32,  /* packets lost with their link stay accounted */
	QBB_TRIM = 64            /* a data packet of a lossy class that finds no room loses its payload and goes on, instead of
	                            being dropped; NICs need QBB_SELECTIVE for these classes */
};

/* How a switch chooses among ports of equal cost: qbb_switch_config.balance. All but QBB_ECMP may
 * reorder the packets of a flow: see qbb_nic_config.reordering. Schemes that compare the telemetry
 * records of successive packets, such as HPCC, need QBB_ECMP, and NICs that keep to the flows' source
 * ports. The load of a port is the time that it needs for what it still has to send. CONGA and
 * ConWeave are for runs that are not hosted: their switches tell one another what no packet here carries. */
enum qbb_balance {
	QBB_ECMP = 0,     /* by hash of the flow: qbb_node_route */
	QBB_SPRAY = 1,    /* every packet at random */
	QBB_FLOWLETS = 2, /* at random whenever a flow has paused: LetFlow */
	QBB_DRILL = 3,    /* for every packet the least loaded of two random ones and the best of last time */
	QBB_ADAPTIVE = 4  /* for every packet the least loaded */
};

/* How lossy classes share the memory of a switch: qbb_switch_config.sharing. What one of their queues may hold, of what the
 * ports are not promised: */
enum qbb_sharing {
	QBB_DYNAMIC = 0,  /* the rest of it >> lossy_shift */
	QBB_COMPLETE = 1, /* all the rest */
	QBB_ABM = 2       /* active buffer management (Addanki et al., SIGCOMM 2022): as QBB_DYNAMIC, times the part of the port
	                     that the classes which wait leave to its own, over the number of congested queues of the class */
};

/* A port of a switch. */
typedef struct qbb_switch_port {
	int64_t rate;
	int64_t headroom; /* PFC headroom of the port's ingress */
	int64_t kmin;     /* ECN: no marking up to here; QBB_UNLIMITED: never */
	int64_t kmax;     /* ECN: every packet above */
	double pmax;      /* ECN: probability at kmax */
	uint32_t shift;   /* dynamic threshold: rest of the shared memory >> shift, at most 63 */
	int32_t to_host;  /* the link leads to a host */
} qbb_switch_port;

/* A switch. Fill it with qbb_switch_default, then change it. */
typedef struct qbb_switch_config {
	uint32_t size;          /* sizeof(qbb_switch_config) */
	uint32_t options;       /* enum qbb_switch_option */
	int32_t id;             /* its node; the network has no other one of this number */
	int32_t pause_size;     /* bytes of a PFC frame */
	int32_t pause_quanta;   /* time of a pause in units of 512 bit times; 0: until resumed */
	int32_t notice_size;    /* bytes of a congestion notification message */
	int64_t buffer;         /* memory; what the ports are not promised and a reserve: at most 2^32 - 1 */
	int64_t reserve;        /* of it, for each port */
	int64_t resume;         /* a pause ends this much below the threshold */
	int64_t flowlet_gap;    /* QBB_FLOWLETS: time without a packet after which a flow may change its port */
	int64_t watchdog_detection;   /* PFC watchdog: time between looks at a paused class; if it has held packets since the last look, they
	                                 are dropped, and what comes for it, ...; 0: there is none */
	int64_t watchdog_restoration; /* ... until no pause has come for so long */
	uint32_t n_ports;       /* 1 to 65535 */
	uint8_t lossy;          /* classes (bits) that are dropped, or trimmed (QBB_TRIM), not paused, for lack of memory */
	uint8_t lossy_shift;    /* their dynamic threshold at an egress: rest of the shared memory >> lossy_shift */
	uint8_t weights[8];     /* shares of a port that waiting classes have, by class, but for those of strict; 0 counts as 1;
	                           all 0: served in turn */
	uint8_t balance;        /* enum qbb_balance */
	uint8_t sharing;        /* of lossy classes: enum qbb_sharing */
	uint8_t strict;         /* classes (bits) that go before all others, the highest first; not with QBB_ABM */
	uint8_t reserved[7];
	uint32_t first_bytes;   /* QBB_ABM: for packets before this offset of their message, those of its first round trip, ... */
	uint32_t first_alpha;   /* ... the rest counts so many times, 1 to 65535, instead of >> lossy_shift, unless sent again */
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
	int64_t link_bytes;       /* of tx_bytes, in packets of the link itself: PFC, credits */
	int64_t congested;        /* time of congestion, where the scheme's congestion points keep it */
	int64_t no_route;         /* of dropped_packets, those for which there was no route */
	int64_t flushed;          /* packets thrown away because the port's link failed while they waited */
	int64_t trimmed;          /* arrivals on the port whose payload was cut off (QBB_TRIM) */
} qbb_counters;

/* --- Level 3: scenarios ----------------------------------------------------------------- */

/* A scenario holds the options of the command qbb: a text in YAML, or the config.txt of the ns-3
 * based reference simulator, with the topology and flow files that these name. "qbb help scenario"
 * lists the keys. Flow files are flow.txt or CSV, perhaps compressed; not Parquet. Of the outputs,
 * those of enum qbb_file are written; Parquet, captures (pcap) and time series (series) are not.
 *
 * A program may add flows of its own: qbb_scenario_add; and in a closed loop, as the model of an application
 * does, while the run is under way: qbb_run_next_end, qbb_run_next_arrival, qbb_run_add.
 *
 * A run is made from a scenario; later changes of the scenario do not affect it. It can be run in
 * two ways. qbb_run_until uses the library's own event loop. With QBB_RUN_HOSTED, the events and
 * links are the host's: it gets the devices, which are nodes of level 2 configured by the scenario
 * (qbb_run_node), and the links, changes of links and flows; it starts flows with qbb_run_open and
 * calls qbb_node_lost for every packet that arrives. In both ways the run keeps account of its
 * flows and writes the same files: they are equal byte for byte if the host runs events of equal
 * time in the order in which they were scheduled and the scenario asks for that too
 * (options.order: schedule, as in profile ns3). */

/* Options of a run. */
enum qbb_run_option {
	QBB_RUN_HOSTED = 1,  /* the host moves the run on */
	QBB_RUN_KEEP_PFC = 2, /* PFC frames are kept for qbb_run_pfc; 40 bytes each */
	QBB_RUN_CLOSED_LOOP = 4 /* flows may be added while the library moves the run on: qbb_run_add */
};

/* What a run is made of. */
typedef struct qbb_run_info {
	uint32_t size;         /* sizeof(qbb_run_info), set by the caller */
	int32_t nodes;         /* numbered from 0 */
	int32_t hosts;
	int32_t links;         /* qbb_run_links */
	int32_t changes;       /* of links: qbb_run_changes */
	int32_t flows;         /* qbb_run_flows */
	int32_t schemes;       /* qbb_run_scheme */
	int32_t timing;        /* enum qbb_timing */
	int32_t in_order;      /* events of equal time run as they were scheduled; 0: by what they are */
	int32_t start_chain;   /* a flow starts by two further events of the same time */
	int64_t stop;          /* events after this time do not run, nor in the order of scheduling those
	                          that the run has scheduled for it; QBB_NEVER: until all flows have ended */
	int64_t mtu;           /* payload of a full packet */
	int64_t max_rtt;       /* largest base round trip, without queueing */
	int64_t max_bdp;       /* largest bandwidth-delay product, bytes */
	int64_t bin;           /* width of the bins of queue histograms, bytes; 0: queues are not sampled */
	int64_t sample_every;  /* hosted: call qbb_run_sample at sample_start and so often ... */
	int64_t sample_start;
	int64_t sample_end;    /* ... until this time, inclusive; sample_every 0, or the end before
	                          the start: never */
	int64_t sweep_every;   /* hosted: call qbb_run_sweep so often, first at this time; 0: never */
	int32_t header;        /* bytes of a data packet besides payload and what the scheme adds */
	int32_t reserved;
} qbb_run_info;

/* A link of a run, each direction of it. */
typedef struct qbb_run_link {
	int32_t a;        /* node */
	int32_t b;        /* node */
	int32_t a_port;
	int32_t b_port;
	int64_t rate;
	int64_t delay;    /* propagation, one way */
	double loss;      /* probability that a packet is lost */
} qbb_run_link;

/* The failure or return of a link. */
typedef struct qbb_link_change {
	int64_t at;
	int32_t link;     /* index into the links of the run */
	int32_t up;       /* 0: it fails */
} qbb_link_change;

/* A flow to be added to a scenario: a row of a flow file. */
typedef struct qbb_scenario_flow {
	uint32_t size;         /* sizeof(qbb_scenario_flow) */
	int32_t src;           /* node: a host */
	int32_t dst;           /* node: another host */
	uint16_t src_port;     /* 0: 10000 for the first flow of a pair of hosts, then counted up */
	uint16_t dst_port;
	uint8_t prio;          /* traffic class, 1 to 7; the keys class_by_cc and class_by_tag override it */
	uint8_t reserved[3];
	uint32_t n_after;      /* 0: it waits for no other flow */
	int64_t bytes;         /* at least 1 */
	int64_t start;         /* with after, counted from the end of the last of these: the last byte if src
	                          receives that flow, otherwise the last acknowledgement */
	const char *tag;       /* for qbb_run_tag and the keys by tag, in UTF-8; NULL or "": none */
	const char *scheme;    /* its congestion control, with the parameters that the scenario has for it; NULL
	                          or "": that of its tag (cc_by_tag), or else of cc */
	const uint32_t *after; /* n_after numbers of earlier added flows, which must finish first */
} qbb_scenario_flow;

/* A flow to be added to a run: hosted, or a closed loop. */
typedef struct qbb_message {
	uint32_t size;      /* sizeof(qbb_message) */
	int32_t src;        /* node */
	int32_t dst;        /* node */
	uint16_t src_port;  /* 0: 10000 for the first flow of a pair of hosts, then counted up */
	uint16_t dst_port;
	uint8_t prio;       /* traffic class, 1 to 7 */
	uint8_t scheme;     /* index into the schemes of the run; 0: that of cc; see qbb_run_tagged */
	uint16_t reserved;
	uint32_t reserved2;
	int64_t bytes;      /* at least 1 */
	int64_t start;      /* hosted: for the results, and the host opens it; closed loop: not before now */
} qbb_message;

/* What has become of a flow. */
enum qbb_flow_progress {
	QBB_FLOW_WAITS = 0,    /* not started */
	QBB_FLOW_RUNS = 1,
	QBB_FLOW_FINISHED = 2, /* all bytes have been acknowledged */
	QBB_FLOW_GIVEN_UP = 3, /* too many time-outs */
	QBB_FLOW_ABANDONED = 4 /* the flow that it waits for was given up */
};

/* The table of flows, by column: each is NULL, if it is not wanted, or room for the rows. */
typedef struct qbb_flow_columns {
	uint32_t size;          /* sizeof(qbb_flow_columns) */
	uint32_t reserved;
	int32_t *src;           /* node */
	int32_t *dst;           /* node */
	uint16_t *src_port;     /* as given, or counted: qbb_message.src_port */
	uint16_t *dst_port;
	uint8_t *prio;          /* traffic class */
	uint8_t *scheme;        /* index: qbb_run_scheme */
	uint8_t *progress;      /* enum qbb_flow_progress */
	int32_t *after;         /* the flow that it waits for, of several the first: for its last byte if the
	                         * source receives it, else for its last acknowledgement; -1: none */
	int64_t *bytes;
	int64_t *start;         /* with after and before it starts: counted from that */
	int64_t *fct;           /* start to last acknowledgement; until now if it runs; 0: not started */
	int64_t *ideal;         /* fct alone in the network */
	int64_t *acked;         /* bytes */
	int64_t *retransmitted; /* bytes sent again */
	int64_t *marked;        /* acknowledgements with the ECN echo */
	int64_t *timeouts;
} qbb_flow_columns;

/* The table of PFC frames received, in the order of arrival, by column: NULL or room. */
typedef struct qbb_pfc_columns {
	uint32_t size;    /* sizeof(qbb_pfc_columns) */
	uint32_t reserved;
	int64_t *at;
	int32_t *node;    /* that received the frame */
	int32_t *port;
	uint8_t *classes; /* bits */
	uint8_t *pause;   /* 1 pauses, 0 resumes */
} qbb_pfc_columns;

/* How far a run has come. */
typedef struct qbb_progress {
	uint32_t size;    /* sizeof(qbb_progress), set by the caller */
	int32_t over;     /* nothing is left to be done; hosted: 0, since only the host knows its events */
	int64_t now;
	int64_t stop;     /* QBB_NEVER: until all flows have ended */
	int64_t flows;
	int64_t started;
	int64_t ended;    /* finished, given up or abandoned */
	int64_t pfc;      /* PFC frames kept: rows of qbb_run_pfc */
	int64_t dropped;  /* packets, by devices */
	int64_t lost;     /* packets, on links, PFC frames and credits among them */
	int64_t hops;     /* packets that have crossed a link, PFC frames and credits apart; hosted: 0 */
	int64_t events;   /* hosted: 0 */
} qbb_progress;

/* The files of a run, in the reference simulator's formats. */
enum qbb_file {
	QBB_FCT_TXT = 0,  /* one line for each flow that has finished */
	QBB_PFC_TXT = 1,  /* one line for each PFC frame received */
	QBB_QLEN_TXT = 2, /* histograms of queue lengths; needs queue_sampling.events and .dump */
	QBB_MIX_TR = 3    /* packets at the nodes that the scenario's trace names */
};

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

/* Fills format with HPCC's record of 64 bits and five hops, its units times multi (1 to 1048576). */
int qbb_int_quantised(int32_t multi, qbb_int_format *format);

/* The name of scheme number i of the catalog, or NULL beyond its end. The text is the library's
 * and stays. */
const char *qbb_scheme_name(uint32_t i);

/* Makes a scheme. name is one of the catalog; params is NULL or "" for the defaults, or
 * "name=value,name=value", or a JSON object whose values are texts, numbers or truths:
 * {"target": 0.95, "ai": "50Mbps"}. Rates, times and sizes have units: 40Gbps, 55us, 300KB. */
int qbb_scheme_new(const char *name, const char *params, qbb_scheme *scheme);

/* Writes what the scheme hears and needs. */
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
 * NULL, is set to how many were digested. */
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
 * packet takes ports[h mod n], where h is a hash of its flow seeded by the node, unless
 * qbb_switch_config.balance says otherwise. */
int qbb_node_route(qbb_node node, int32_t dst, const uint16_t *ports, uint32_t n);

/* Fills config with the choices of a profile: 1000 bytes of payload, no nodes. */
int qbb_topology_default(int32_t profile, qbb_topology_config *config);

/* Makes a topology: two hosts or more, joined by switches. */
int qbb_topology_new(const qbb_topology_config *config, qbb_topology *topology);

/* Writes the figures of the path from host src to host dst. */
int qbb_topology_path(qbb_topology topology, int32_t src, int32_t dst, qbb_path *path);

/* Writes the largest rtt, bdp and hops of all pairs of hosts; bottleneck is 0. */
int qbb_topology_largest(qbb_topology topology, qbb_path *path);

/* Frees a topology. Nodes that take its routes are not affected. */
int qbb_topology_free(qbb_topology topology);

/* Makes the node, which has the same number in both, take the routes of a topology wherever
 * qbb_node_route has not set one. The topology has as many nodes as the network. */
int qbb_node_routes(qbb_node node, qbb_topology topology);

/* The functions below tell a node what happens at the time now; born is when the event now running
 * was scheduled, or QBB_NEVER (see qbb_signal.born). For the arrival of a packet that was sent at the
 * time b, it is b + 1 if the event that sent it was itself scheduled less than now - b before b: the
 * arrival then comes after the tick at b of a timer that ticks every now - b. Each function returns the
 * number of actions, which must be carried out in order, and writes the first cap of them to actions.
 * If there are more, fetch them with qbb_node_more before the next of these calls. */

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

/* Gives a port a datagram to send; it serves datagrams and queue pairs in turn. A port holds one:
 * until that has been transmitted or dropped, the next one is refused (QBB_E_STATE). */
int qbb_nic_send(qbb_node nic, int64_t now, int64_t born, uint32_t port, const qbb_datagram *datagram,
                 qbb_action *actions, uint32_t cap);

/* The routes have changed: binds flows to ports again. */
int qbb_nic_reroute(qbb_node nic, int64_t now, int64_t born, qbb_action *actions, uint32_t cap);

/* Writes the next cap of the actions that did not fit, and returns how many there were. */
int qbb_node_more(qbb_node node, qbb_action *actions, uint32_t cap);

/* Writes the state of the flow with number qp at this NIC. */
int qbb_nic_flow(qbb_node nic, int32_t qp, qbb_flow_state *state);

/* Resets the receiving side of queue pair qp. */
int qbb_nic_forget(qbb_node nic, int32_t qp);

/* Reads a port's counters, at a time not before the last event. */
int qbb_node_counters(qbb_node node, uint32_t port, int64_t now, qbb_counters *counters);

/* Reads the bytes queued at a switch's port, queue 0 excepted. */
int qbb_switch_depth(qbb_node node, uint32_t port, int64_t *bytes);

/* Makes a scenario from the text of a scenario file in YAML, n bytes. name is what errors call it,
 * NULL or "": scenario; files that the text names are looked for in the working folder, then in that of
 * name. NULL or "" for text: all defaults, those of "qbb run". */
int qbb_scenario_read(const char *name, const char *text, size_t n, qbb_scenario *scenario);

/* Makes a scenario from a file: YAML or config.txt, recognised by content, perhaps compressed. */
int qbb_scenario_load(const char *path, qbb_scenario *scenario);

/* Sets a key, whose sections are dotted, as the command's flags do: "load" to "0.6",
 * "cc.params.target" to "0.9". A list gets one more item, and is replaced by one in brackets. */
int qbb_scenario_set(qbb_scenario scenario, const char *key, const char *value);

/* Replaces the key "topology", until that is set again, by these nodes, whose kinds are 0 host, 1 switch, and
 * links; field down of the links must be 0. */
int qbb_scenario_topology(qbb_scenario scenario, const uint8_t *kinds, int32_t nodes, const qbb_link *links,
                          uint32_t n_links);

/* Adds a flow to those that the keys name or make, in any order of start, and returns its number among
 * the added ones, from 0. Without the keys workload, incast and patterns the scenario then makes no others. What
 * only the whole scenario tells, such as whether nodes are hosts and whether there is a scheme, qbb_run_new checks:
 * its errors begin with "added flow 0" and so on. */
int qbb_scenario_add(qbb_scenario scenario, const qbb_scenario_flow *flow);

/* Writes the scenario with nothing left blank, as a scenario file: as much as fits into cap bytes,
 * with a 0 at the end. Returns its whole length. A network of qbb_scenario_topology and flows of
 * qbb_scenario_add are not in the file, which cannot be run before its topology and its flows are set. */
int qbb_scenario_print(qbb_scenario scenario, char *text, size_t cap);

/* Frees a scenario. Its runs are not affected. */
int qbb_scenario_free(qbb_scenario scenario);

/* Makes a run from a scenario, at time 0: reads the files that it names, makes topology, flows and
 * devices. options: enum qbb_run_option. */
int qbb_run_new(qbb_scenario scenario, uint32_t options, qbb_run *run);

/* Writes what the run is made of. */
int qbb_run_describe(qbb_run run, qbb_run_info *info);

/* Writes the kinds of nodes 0 to cap-1, 0 host, 1 switch, and returns the number of nodes. */
int qbb_run_kinds(qbb_run run, uint8_t *kinds, uint32_t cap);

/* Writes the first cap links, and returns how many there are. Ports of a node count from 0 in the
 * order of its links. */
int qbb_run_links(qbb_run run, qbb_run_link *links, uint32_t cap);

/* Writes the first cap changes of links, which are in the order of time, and returns how many
 * there are. A host calls qbb_node_set_link at both ends, a before b, for every change of one
 * time, then qbb_run_reroute, then qbb_nic_reroute for every host in the order of nodes. */
int qbb_run_changes(qbb_run run, qbb_link_change *changes, uint32_t cap);

/* Opens a file of the run, once and before its first event. path NULL: the name that the scenario
 * gives it, relative to the scenario's folder "out"; if it gives none, nothing is opened and the answer
 * is 1. Folders that the path lacks are made. The file appears under its name with qbb_run_finish. */
int qbb_run_write(qbb_run run, int32_t file, const char *path);

/* Completes the files and gives them their names; what happens later is not in them. Without it they
 * do not appear. After a failure every further call fails in the same way. */
int qbb_run_finish(qbb_run run);

/* Runs events up to and including the time until, at most the given number; events 0: all of them.
 * Returns 1 if something is left to be done, 0 at the end of the run. Results do not depend on how a
 * run is cut into calls. A run without an end of its own (stop: never) also ends when nothing would ever
 * happen any more, as in a deadlock: see qbb_run_notes. */
int qbb_run_until(qbb_run run, int64_t until, int64_t events);

/* Returns the number of the scheme that the key cc_by_tag of the scenario has for flows with a tag:
 * qbb_message.scheme. QBB_E_NAME if it has none. A scenario without flows may have tags of flows to
 * come. */
int qbb_run_tagged(qbb_run run, const char *tag);

/* Adds a flow to a hosted run or a closed loop, and sets *flow to its number. In a closed loop it waits for no other flow, starts
 * when it says, and QBB_E_STATE says that the run has ended before. */
int qbb_run_add(qbb_run run, const qbb_message *message, uint32_t *flow);

/* Runs a closed loop until a flow ends, finished or given up, but not beyond the time until, and sets *flow to its
 * number: its sender has the last acknowledgement. Then it returns 1, and a flow that is added may start in this very
 * moment. Every flow comes once, in the order of their ends, also those that qbb_run_until has passed. 0: the time has
 * been reached, or there is no flow left that would end. A closed loop does not end with its flows unless until is
 * QBB_NEVER, here and in qbb_run_until. */
int qbb_run_next_end(qbb_run run, int64_t until, uint32_t *flow);

/* Does the same until the last byte of a flow arrives, which is when its destination can answer: earlier than the end by the way
 * of an acknowledgement. A flow of which that never comes has an end alone. */
int qbb_run_next_arrival(qbb_run run, int64_t until, uint32_t *flow);

/* Writes how far the run has come. */
int qbb_run_progress(qbb_run run, qbb_progress *progress);

/* Writes rows first to first+n-1 of the table of flows, as it now stands, and returns the number
 * of rows written. Flows are numbered in the order of their start. */
int qbb_run_flows(qbb_run run, uint32_t first, uint32_t n, const qbb_flow_columns *columns);

/* Returns the number in the run of flow number added of qbb_scenario_add. */
int qbb_run_added(qbb_run run, uint32_t added);

/* Writes the tag of a flow, as much as fits into cap bytes, with a 0 at the end, and returns its
 * length. */
int qbb_run_tag(qbb_run run, uint32_t flow, char *text, size_t cap);

/* Writes why a flow has not finished, as far as that is known, in the same way; 0 and "" if it has. A run
 * that qbb_run_until could move on counts as interrupted. */
int qbb_run_why(qbb_run run, uint32_t flow, char *text, size_t cap);

/* Writes, a line each, why a run has ended before its flows, unless a host has ended it, and which ports
 * block which, in the same way; 0 and "" if there is nothing to say. */
int qbb_run_notes(qbb_run run, char *text, size_t cap);

/* Writes the name of scheme number i of the run, in the same way. */
int qbb_run_scheme(qbb_run run, uint32_t i, char *text, size_t cap);

/* Writes rows first to first+n-1 of the PFC frames kept, and returns the number of rows written. */
int qbb_run_pfc(qbb_run run, uint32_t first, uint32_t n, const qbb_pfc_columns *columns);

/* Writes the first cap counts of the histogram of a switch port's queue, and returns the number of
 * bins: counts[i] samples were of i*bin to below (i+1)*bin bytes. */
int qbb_run_histogram(qbb_run run, int32_t node, uint32_t port, uint64_t *counts, uint32_t cap);

/* Writes the counters of the first cap ports of a node, and returns the number of its ports. */
int qbb_run_counters(qbb_run run, int32_t node, qbb_counters *counters, uint32_t cap);

/* Frees a run, its nodes, and files that have not been finished. */
int qbb_run_free(qbb_run run);

/* The functions below are for hosted runs. */

/* Returns the device of node id, for the functions of nodes. qbb_run_open opens its flows, its
 * routes are the run's, and it is freed with the run. */
int qbb_run_node(qbb_run run, int32_t id, qbb_node *node);

/* Starts a flow of the run, which has not been started, at its source. Call it at the flow's time
 * of start, in the order of flows, or for a flow that waits for others when QBB_FLOW_READY says;
 * before that it is QBB_E_STATE.
 * Actions are those of the source's node, as with qbb_nic_open. */
int qbb_run_open(qbb_run run, int64_t now, int64_t born, uint32_t flow, qbb_action *actions, uint32_t cap);

/* Decides whether the packet that arrives now on a port is lost: 1 if its link is down, or by the
 * link's loss probability; otherwise 0, and qbb_node_receive follows. */
int qbb_node_lost(qbb_node node, int64_t now, uint32_t port);

/* Computes the routes again after qbb_node_set_link, for all nodes. */
int qbb_run_reroute(qbb_run run, int64_t now);

/* Takes a sample of all queues: see qbb_run_info.sample_every. */
int qbb_run_sample(qbb_run run, int64_t now);

/* Lets the congestion manager read the switches' counters and set marking rates (keys dcms): see
 * qbb_run_info.sweep_every. In the standalone simulator the sweeps end with the last other event. */
int qbb_run_sweep(qbb_run run, int64_t now);

#endif /* QBB_TYPES_ONLY */

#ifdef __cplusplus
}
#endif

#endif /* QBB_H */
