//go:build cgo

/* Sizes and offsets as Go sees them. Made by
 * CGO_CFLAGS=-DQBB_UNCHECKED go test ./cgo -run TestLayout -rewrite */
#include "qbb.h"

#ifdef QBB_UNCHECKED
#define ASSERT(x) extern int unchecked
#elif defined __cplusplus
#define ASSERT(x) static_assert(x, #x)
#else
#define ASSERT(x) _Static_assert(x, #x)
#endif

ASSERT(sizeof(qbb_hop) == 40);
ASSERT(offsetof(qbb_hop, line) == 0);
ASSERT(offsetof(qbb_hop, at) == 8);
ASSERT(offsetof(qbb_hop, tx) == 16);
ASSERT(offsetof(qbb_hop, queue) == 24);
ASSERT(offsetof(qbb_hop, flows) == 32);
ASSERT(offsetof(qbb_hop, reserved) == 36);

ASSERT(sizeof(qbb_int_format) == 56);
ASSERT(offsetof(qbb_int_format, time_unit) == 0);
ASSERT(offsetof(qbb_int_format, tx_unit) == 8);
ASSERT(offsetof(qbb_int_format, queue_unit) == 16);
ASSERT(offsetof(qbb_int_format, time_mask) == 24);
ASSERT(offsetof(qbb_int_format, tx_mask) == 32);
ASSERT(offsetof(qbb_int_format, queue_mask) == 40);
ASSERT(offsetof(qbb_int_format, max_hops) == 48);
ASSERT(offsetof(qbb_int_format, reserved) == 52);

ASSERT(sizeof(qbb_traits) == 64);
ASSERT(offsetof(qbb_traits, name) == 0);
ASSERT(offsetof(qbb_traits, hears) == 32);
ASSERT(offsetof(qbb_traits, needs) == 36);
ASSERT(offsetof(qbb_traits, lazy_timers) == 40);
ASSERT(offsetof(qbb_traits, notify_is_echo) == 44);
ASSERT(offsetof(qbb_traits, header_bytes) == 48);
ASSERT(offsetof(qbb_traits, hop_bytes) == 52);
ASSERT(offsetof(qbb_traits, has_receiver) == 56);
ASSERT(offsetof(qbb_traits, has_marker) == 60);

ASSERT(sizeof(qbb_flow) == 136);
ASSERT(offsetof(qbb_flow, size) == 0);
ASSERT(offsetof(qbb_flow, id) == 4);
ASSERT(offsetof(qbb_flow, line) == 8);
ASSERT(offsetof(qbb_flow, min_rate) == 16);
ASSERT(offsetof(qbb_flow, base_rtt) == 24);
ASSERT(offsetof(qbb_flow, window) == 32);
ASSERT(offsetof(qbb_flow, mtu) == 40);
ASSERT(offsetof(qbb_flow, bytes) == 48);
ASSERT(offsetof(qbb_flow, hops) == 56);
ASSERT(offsetof(qbb_flow, timing) == 60);
ASSERT(offsetof(qbb_flow, seed) == 64);
ASSERT(offsetof(qbb_flow, timeout) == 72);
ASSERT(offsetof(qbb_flow, format) == 80);

ASSERT(sizeof(qbb_signal) == 112);
ASSERT(offsetof(qbb_signal, now) == 0);
ASSERT(offsetof(qbb_signal, born) == 8);
ASSERT(offsetof(qbb_signal, kind) == 16);
ASSERT(offsetof(qbb_signal, flags) == 20);
ASSERT(offsetof(qbb_signal, bytes) == 24);
ASSERT(offsetof(qbb_signal, marked) == 32);
ASSERT(offsetof(qbb_signal, acked) == 40);
ASSERT(offsetof(qbb_signal, next) == 48);
ASSERT(offsetof(qbb_signal, in_flight) == 56);
ASSERT(offsetof(qbb_signal, sent_at) == 64);
ASSERT(offsetof(qbb_signal, rtt) == 72);
ASSERT(offsetof(qbb_signal, host_time) == 80);
ASSERT(offsetof(qbb_signal, aux) == 88);
ASSERT(offsetof(qbb_signal, feedback) == 96);
ASSERT(offsetof(qbb_signal, n_hops) == 100);
ASSERT(offsetof(qbb_signal, hops) == 104);

ASSERT(sizeof(qbb_control) == 56);
ASSERT(offsetof(qbb_control, window) == 0);
ASSERT(offsetof(qbb_control, rate) == 8);
ASSERT(offsetof(qbb_control, gap) == 16);
ASSERT(offsetof(qbb_control, wake) == 24);
ASSERT(offsetof(qbb_control, stamp) == 32);
ASSERT(offsetof(qbb_control, timeout) == 40);
ASSERT(offsetof(qbb_control, orders) == 48);
ASSERT(offsetof(qbb_control, reserved) == 52);

ASSERT(sizeof(qbb_packet) == 712);
ASSERT(offsetof(qbb_packet, src) == 0);
ASSERT(offsetof(qbb_packet, dst) == 4);
ASSERT(offsetof(qbb_packet, src_qp) == 8);
ASSERT(offsetof(qbb_packet, dst_qp) == 12);
ASSERT(offsetof(qbb_packet, size) == 16);
ASSERT(offsetof(qbb_packet, payload) == 20);
ASSERT(offsetof(qbb_packet, src_port) == 24);
ASSERT(offsetof(qbb_packet, dst_port) == 26);
ASSERT(offsetof(qbb_packet, kind) == 28);
ASSERT(offsetof(qbb_packet, prio) == 29);
ASSERT(offsetof(qbb_packet, flags) == 30);
ASSERT(offsetof(qbb_packet, n_hops) == 31);
ASSERT(offsetof(qbb_packet, marker) == 32);
ASSERT(offsetof(qbb_packet, receiver) == 33);
ASSERT(offsetof(qbb_packet, has_int) == 34);
ASSERT(offsetof(qbb_packet, reserved) == 35);
ASSERT(offsetof(qbb_packet, host_nanos) == 36);
ASSERT(offsetof(qbb_packet, sent) == 40);
ASSERT(offsetof(qbb_packet, seq) == 48);
ASSERT(offsetof(qbb_packet, aux) == 56);
ASSERT(offsetof(qbb_packet, sack) == 64);
ASSERT(offsetof(qbb_packet, hops) == 72);

ASSERT(sizeof(qbb_action) == 736);
ASSERT(offsetof(qbb_action, kind) == 0);
ASSERT(offsetof(qbb_action, port) == 4);
ASSERT(offsetof(qbb_action, flow) == 8);
ASSERT(offsetof(qbb_action, more) == 12);
ASSERT(offsetof(qbb_action, classes) == 13);
ASSERT(offsetof(qbb_action, reserved) == 14);
ASSERT(offsetof(qbb_action, at) == 16);
ASSERT(offsetof(qbb_action, packet) == 24);

ASSERT(sizeof(qbb_net_config) == 136);
ASSERT(offsetof(qbb_net_config, size) == 0);
ASSERT(offsetof(qbb_net_config, options) == 4);
ASSERT(offsetof(qbb_net_config, seed) == 8);
ASSERT(offsetof(qbb_net_config, mark_stream) == 16);
ASSERT(offsetof(qbb_net_config, nodes) == 24);
ASSERT(offsetof(qbb_net_config, timing) == 28);
ASSERT(offsetof(qbb_net_config, mtu) == 32);
ASSERT(offsetof(qbb_net_config, max_rtt) == 40);
ASSERT(offsetof(qbb_net_config, format) == 48);
ASSERT(offsetof(qbb_net_config, schemes) == 104);
ASSERT(offsetof(qbb_net_config, n_schemes) == 112);
ASSERT(offsetof(qbb_net_config, max_qps) == 116);
ASSERT(offsetof(qbb_net_config, lane) == 120);
ASSERT(offsetof(qbb_net_config, credit_update) == 128);

ASSERT(sizeof(qbb_nic_config) == 120);
ASSERT(offsetof(qbb_nic_config, size) == 0);
ASSERT(offsetof(qbb_nic_config, options) == 4);
ASSERT(offsetof(qbb_nic_config, id) == 8);
ASSERT(offsetof(qbb_nic_config, header) == 12);
ASSERT(offsetof(qbb_nic_config, ack) == 16);
ASSERT(offsetof(qbb_nic_config, min_packet) == 20);
ASSERT(offsetof(qbb_nic_config, nack_every) == 24);
ASSERT(offsetof(qbb_nic_config, ack_every) == 32);
ASSERT(offsetof(qbb_nic_config, chunk) == 40);
ASSERT(offsetof(qbb_nic_config, rto) == 48);
ASSERT(offsetof(qbb_nic_config, rto_low) == 56);
ASSERT(offsetof(qbb_nic_config, reordering) == 64);
ASSERT(offsetof(qbb_nic_config, delay) == 72);
ASSERT(offsetof(qbb_nic_config, service) == 80);
ASSERT(offsetof(qbb_nic_config, retries) == 88);
ASSERT(offsetof(qbb_nic_config, n_ports) == 92);
ASSERT(offsetof(qbb_nic_config, recovery) == 96);
ASSERT(offsetof(qbb_nic_config, ack_control) == 104);
ASSERT(offsetof(qbb_nic_config, rates) == 112);

ASSERT(sizeof(qbb_flow_config) == 72);
ASSERT(offsetof(qbb_flow_config, size) == 0);
ASSERT(offsetof(qbb_flow_config, id) == 4);
ASSERT(offsetof(qbb_flow_config, dst) == 8);
ASSERT(offsetof(qbb_flow_config, dst_qp) == 12);
ASSERT(offsetof(qbb_flow_config, src_port) == 16);
ASSERT(offsetof(qbb_flow_config, dst_port) == 18);
ASSERT(offsetof(qbb_flow_config, prio) == 20);
ASSERT(offsetof(qbb_flow_config, scheme) == 21);
ASSERT(offsetof(qbb_flow_config, scale_window) == 22);
ASSERT(offsetof(qbb_flow_config, reserved) == 23);
ASSERT(offsetof(qbb_flow_config, hops) == 24);
ASSERT(offsetof(qbb_flow_config, reserved2) == 28);
ASSERT(offsetof(qbb_flow_config, bytes) == 32);
ASSERT(offsetof(qbb_flow_config, base_rtt) == 40);
ASSERT(offsetof(qbb_flow_config, window) == 48);
ASSERT(offsetof(qbb_flow_config, rto) == 56);
ASSERT(offsetof(qbb_flow_config, first_rto) == 64);

ASSERT(sizeof(qbb_flow_state) == 96);
ASSERT(offsetof(qbb_flow_state, acked) == 0);
ASSERT(offsetof(qbb_flow_state, retransmitted) == 8);
ASSERT(offsetof(qbb_flow_state, marked) == 16);
ASSERT(offsetof(qbb_flow_state, timeouts) == 24);
ASSERT(offsetof(qbb_flow_state, control) == 32);
ASSERT(offsetof(qbb_flow_state, done) == 88);
ASSERT(offsetof(qbb_flow_state, reserved) == 92);

ASSERT(sizeof(qbb_switch_port) == 48);
ASSERT(offsetof(qbb_switch_port, rate) == 0);
ASSERT(offsetof(qbb_switch_port, headroom) == 8);
ASSERT(offsetof(qbb_switch_port, kmin) == 16);
ASSERT(offsetof(qbb_switch_port, kmax) == 24);
ASSERT(offsetof(qbb_switch_port, pmax) == 32);
ASSERT(offsetof(qbb_switch_port, shift) == 40);
ASSERT(offsetof(qbb_switch_port, to_host) == 44);

ASSERT(sizeof(qbb_switch_config) == 112);
ASSERT(offsetof(qbb_switch_config, size) == 0);
ASSERT(offsetof(qbb_switch_config, options) == 4);
ASSERT(offsetof(qbb_switch_config, id) == 8);
ASSERT(offsetof(qbb_switch_config, pause_size) == 12);
ASSERT(offsetof(qbb_switch_config, pause_quanta) == 16);
ASSERT(offsetof(qbb_switch_config, notice_size) == 20);
ASSERT(offsetof(qbb_switch_config, buffer) == 24);
ASSERT(offsetof(qbb_switch_config, reserve) == 32);
ASSERT(offsetof(qbb_switch_config, resume) == 40);
ASSERT(offsetof(qbb_switch_config, flowlet_gap) == 48);
ASSERT(offsetof(qbb_switch_config, watchdog_detection) == 56);
ASSERT(offsetof(qbb_switch_config, watchdog_restoration) == 64);
ASSERT(offsetof(qbb_switch_config, n_ports) == 72);
ASSERT(offsetof(qbb_switch_config, lossy) == 76);
ASSERT(offsetof(qbb_switch_config, lossy_shift) == 77);
ASSERT(offsetof(qbb_switch_config, weights) == 78);
ASSERT(offsetof(qbb_switch_config, balance) == 86);
ASSERT(offsetof(qbb_switch_config, sharing) == 87);
ASSERT(offsetof(qbb_switch_config, strict) == 88);
ASSERT(offsetof(qbb_switch_config, reserved) == 89);
ASSERT(offsetof(qbb_switch_config, first_bytes) == 96);
ASSERT(offsetof(qbb_switch_config, first_alpha) == 100);
ASSERT(offsetof(qbb_switch_config, ports) == 104);

ASSERT(sizeof(qbb_counters) == 152);
ASSERT(offsetof(qbb_counters, tx_bytes) == 0);
ASSERT(offsetof(qbb_counters, tx_packets) == 8);
ASSERT(offsetof(qbb_counters, rx_bytes) == 16);
ASSERT(offsetof(qbb_counters, rx_packets) == 24);
ASSERT(offsetof(qbb_counters, max_queue) == 32);
ASSERT(offsetof(qbb_counters, marked) == 40);
ASSERT(offsetof(qbb_counters, dropped_packets) == 48);
ASSERT(offsetof(qbb_counters, dropped_bytes) == 56);
ASSERT(offsetof(qbb_counters, pauses_sent) == 64);
ASSERT(offsetof(qbb_counters, resumes_sent) == 72);
ASSERT(offsetof(qbb_counters, pauses_received) == 80);
ASSERT(offsetof(qbb_counters, resumes_received) == 88);
ASSERT(offsetof(qbb_counters, paused_for) == 96);
ASSERT(offsetof(qbb_counters, waited) == 104);
ASSERT(offsetof(qbb_counters, link_bytes) == 112);
ASSERT(offsetof(qbb_counters, congested) == 120);
ASSERT(offsetof(qbb_counters, no_route) == 128);
ASSERT(offsetof(qbb_counters, flushed) == 136);
ASSERT(offsetof(qbb_counters, trimmed) == 144);

ASSERT(sizeof(qbb_link) == 32);
ASSERT(offsetof(qbb_link, a) == 0);
ASSERT(offsetof(qbb_link, b) == 4);
ASSERT(offsetof(qbb_link, rate) == 8);
ASSERT(offsetof(qbb_link, delay) == 16);
ASSERT(offsetof(qbb_link, down) == 24);
ASSERT(offsetof(qbb_link, reserved) == 28);

ASSERT(sizeof(qbb_topology_config) == 64);
ASSERT(offsetof(qbb_topology_config, size) == 0);
ASSERT(offsetof(qbb_topology_config, timing) == 4);
ASSERT(offsetof(qbb_topology_config, descending) == 8);
ASSERT(offsetof(qbb_topology_config, nodes) == 12);
ASSERT(offsetof(qbb_topology_config, payload) == 16);
ASSERT(offsetof(qbb_topology_config, packet) == 24);
ASSERT(offsetof(qbb_topology_config, ack) == 32);
ASSERT(offsetof(qbb_topology_config, kinds) == 40);
ASSERT(offsetof(qbb_topology_config, links) == 48);
ASSERT(offsetof(qbb_topology_config, n_links) == 56);
ASSERT(offsetof(qbb_topology_config, reserved) == 60);

ASSERT(sizeof(qbb_path) == 32);
ASSERT(offsetof(qbb_path, rtt) == 0);
ASSERT(offsetof(qbb_path, bdp) == 8);
ASSERT(offsetof(qbb_path, bottleneck) == 16);
ASSERT(offsetof(qbb_path, hops) == 24);
ASSERT(offsetof(qbb_path, reserved) == 28);

ASSERT(sizeof(qbb_run_info) == 120);
ASSERT(offsetof(qbb_run_info, size) == 0);
ASSERT(offsetof(qbb_run_info, nodes) == 4);
ASSERT(offsetof(qbb_run_info, hosts) == 8);
ASSERT(offsetof(qbb_run_info, links) == 12);
ASSERT(offsetof(qbb_run_info, changes) == 16);
ASSERT(offsetof(qbb_run_info, flows) == 20);
ASSERT(offsetof(qbb_run_info, schemes) == 24);
ASSERT(offsetof(qbb_run_info, timing) == 28);
ASSERT(offsetof(qbb_run_info, in_order) == 32);
ASSERT(offsetof(qbb_run_info, start_chain) == 36);
ASSERT(offsetof(qbb_run_info, stop) == 40);
ASSERT(offsetof(qbb_run_info, mtu) == 48);
ASSERT(offsetof(qbb_run_info, max_rtt) == 56);
ASSERT(offsetof(qbb_run_info, max_bdp) == 64);
ASSERT(offsetof(qbb_run_info, bin) == 72);
ASSERT(offsetof(qbb_run_info, sample_every) == 80);
ASSERT(offsetof(qbb_run_info, sample_start) == 88);
ASSERT(offsetof(qbb_run_info, sample_end) == 96);
ASSERT(offsetof(qbb_run_info, sweep_every) == 104);
ASSERT(offsetof(qbb_run_info, header) == 112);
ASSERT(offsetof(qbb_run_info, reserved) == 116);

ASSERT(sizeof(qbb_run_link) == 40);
ASSERT(offsetof(qbb_run_link, a) == 0);
ASSERT(offsetof(qbb_run_link, b) == 4);
ASSERT(offsetof(qbb_run_link, a_port) == 8);
ASSERT(offsetof(qbb_run_link, b_port) == 12);
ASSERT(offsetof(qbb_run_link, rate) == 16);
ASSERT(offsetof(qbb_run_link, delay) == 24);
ASSERT(offsetof(qbb_run_link, loss) == 32);

ASSERT(sizeof(qbb_link_change) == 16);
ASSERT(offsetof(qbb_link_change, at) == 0);
ASSERT(offsetof(qbb_link_change, link) == 8);
ASSERT(offsetof(qbb_link_change, up) == 12);

ASSERT(sizeof(qbb_message) == 40);
ASSERT(offsetof(qbb_message, size) == 0);
ASSERT(offsetof(qbb_message, src) == 4);
ASSERT(offsetof(qbb_message, dst) == 8);
ASSERT(offsetof(qbb_message, src_port) == 12);
ASSERT(offsetof(qbb_message, dst_port) == 14);
ASSERT(offsetof(qbb_message, prio) == 16);
ASSERT(offsetof(qbb_message, scheme) == 17);
ASSERT(offsetof(qbb_message, reserved) == 18);
ASSERT(offsetof(qbb_message, reserved2) == 20);
ASSERT(offsetof(qbb_message, bytes) == 24);
ASSERT(offsetof(qbb_message, start) == 32);

ASSERT(sizeof(qbb_flow_columns) == 136);
ASSERT(offsetof(qbb_flow_columns, size) == 0);
ASSERT(offsetof(qbb_flow_columns, reserved) == 4);
ASSERT(offsetof(qbb_flow_columns, src) == 8);
ASSERT(offsetof(qbb_flow_columns, dst) == 16);
ASSERT(offsetof(qbb_flow_columns, src_port) == 24);
ASSERT(offsetof(qbb_flow_columns, dst_port) == 32);
ASSERT(offsetof(qbb_flow_columns, prio) == 40);
ASSERT(offsetof(qbb_flow_columns, scheme) == 48);
ASSERT(offsetof(qbb_flow_columns, progress) == 56);
ASSERT(offsetof(qbb_flow_columns, after) == 64);
ASSERT(offsetof(qbb_flow_columns, bytes) == 72);
ASSERT(offsetof(qbb_flow_columns, start) == 80);
ASSERT(offsetof(qbb_flow_columns, fct) == 88);
ASSERT(offsetof(qbb_flow_columns, ideal) == 96);
ASSERT(offsetof(qbb_flow_columns, acked) == 104);
ASSERT(offsetof(qbb_flow_columns, retransmitted) == 112);
ASSERT(offsetof(qbb_flow_columns, marked) == 120);
ASSERT(offsetof(qbb_flow_columns, timeouts) == 128);

ASSERT(sizeof(qbb_pfc_columns) == 48);
ASSERT(offsetof(qbb_pfc_columns, size) == 0);
ASSERT(offsetof(qbb_pfc_columns, reserved) == 4);
ASSERT(offsetof(qbb_pfc_columns, at) == 8);
ASSERT(offsetof(qbb_pfc_columns, node) == 16);
ASSERT(offsetof(qbb_pfc_columns, port) == 24);
ASSERT(offsetof(qbb_pfc_columns, classes) == 32);
ASSERT(offsetof(qbb_pfc_columns, pause) == 40);

ASSERT(sizeof(qbb_progress) == 88);
ASSERT(offsetof(qbb_progress, size) == 0);
ASSERT(offsetof(qbb_progress, over) == 4);
ASSERT(offsetof(qbb_progress, now) == 8);
ASSERT(offsetof(qbb_progress, stop) == 16);
ASSERT(offsetof(qbb_progress, flows) == 24);
ASSERT(offsetof(qbb_progress, started) == 32);
ASSERT(offsetof(qbb_progress, ended) == 40);
ASSERT(offsetof(qbb_progress, pfc) == 48);
ASSERT(offsetof(qbb_progress, dropped) == 56);
ASSERT(offsetof(qbb_progress, lost) == 64);
ASSERT(offsetof(qbb_progress, hops) == 72);
ASSERT(offsetof(qbb_progress, events) == 80);

ASSERT(sizeof(qbb_datagram) == 32);
ASSERT(offsetof(qbb_datagram, size) == 0);
ASSERT(offsetof(qbb_datagram, dst) == 4);
ASSERT(offsetof(qbb_datagram, bytes) == 8);
ASSERT(offsetof(qbb_datagram, src_port) == 12);
ASSERT(offsetof(qbb_datagram, dst_port) == 14);
ASSERT(offsetof(qbb_datagram, prio) == 16);
ASSERT(offsetof(qbb_datagram, reserved) == 17);
ASSERT(offsetof(qbb_datagram, id) == 24);

ASSERT(sizeof(qbb_scenario_flow) == 64);
ASSERT(offsetof(qbb_scenario_flow, size) == 0);
ASSERT(offsetof(qbb_scenario_flow, src) == 4);
ASSERT(offsetof(qbb_scenario_flow, dst) == 8);
ASSERT(offsetof(qbb_scenario_flow, src_port) == 12);
ASSERT(offsetof(qbb_scenario_flow, dst_port) == 14);
ASSERT(offsetof(qbb_scenario_flow, prio) == 16);
ASSERT(offsetof(qbb_scenario_flow, reserved) == 17);
ASSERT(offsetof(qbb_scenario_flow, n_after) == 20);
ASSERT(offsetof(qbb_scenario_flow, bytes) == 24);
ASSERT(offsetof(qbb_scenario_flow, start) == 32);
ASSERT(offsetof(qbb_scenario_flow, tag) == 40);
ASSERT(offsetof(qbb_scenario_flow, scheme) == 48);
ASSERT(offsetof(qbb_scenario_flow, after) == 56);
