"""Schemes by name and by hand."""

from __future__ import annotations

import json

import pytest

import qbb

HOP = qbb.Hop(rate="100Gbps", time="9us", tx=0, queue=0)


def test_list_is_the_commands(command):
    known = qbb.schemes()
    assert command("schemes", "--names").split("\n")[0].split()[0] == next(iter(known))
    assert {"hpcc", "dcqcn", "mpcc", "timely"} <= set(known)
    assert {p.name for p in known["hpcc"].params} >= {"target", "ai"}
    assert all(s.doc and s.source for s in known.values())
    assert {p.range for p in known["hpcc"].params} == {"above 0 and at most 2", "0 to 1000Tbps, or auto", "0 to 1000Tbps, 0 for the default", ""}


@pytest.mark.parametrize("name", qbb.schemes())
def test_every_scheme_can_be_driven(name):
    """All signals, in order: the rate stays between nothing and the line's."""
    sender = qbb.Scheme(name).sender(line_rate="40Gbps", base_rtt="10us")
    for i in range(1, 200):
        now = 20_000 * i
        sender.sent(now)
        sender.ack(now + 10_000, 1000, ece=i % 3 == 0, hops=[qbb.Hop("40Gbps", now + 9_000, 1000 * i, 5_000 * (i % 7))])
        sender.notify(now + 11_000)
        sender.feed([qbb.Signal("grant", now + 11_500, aux=i)])
        sender.switch(now + 12_000, feedback=20)
        rate = sender.wait(now + 15_000)
        assert 0 < rate <= 40_000_000_000 and rate == sender.rate_bps
        assert sender.window_bytes is None or sender.window_bytes > 0
    assert sender.time_ns == 20_000 * 199 + 15_000
    assert name in repr(sender)


def test_hpcc_follows_its_equation():
    """With a queue of one bandwidth-delay product on an idle link, U = 1: the rate falls to
    target/U of the reference rate, plus the additive step (Li et al., SIGCOMM 2019, algorithm 1)."""
    sender = qbb.Scheme("hpcc", target=0.95, ai="0bps").sender("100Gbps", "8us")
    sender.ack("10us", hops=[HOP])
    before = sender.rate_bps
    sender.ack("20us", hops=[qbb.Hop("100Gbps", "17us", 100_000, 100_000)])
    assert before == 100_000_000_000 and 50_000_000_000 < sender.rate_bps < before


def test_a_signal_that_is_refused_leaves_those_before_it():
    sender = qbb.Scheme("dctcp").sender("100Gbps", "8us")
    marked = qbb.Signal("ack", "9us", bytes=1000, marked=1000, acked=1000, next=100_000, rtt="8us", ece=True)
    with pytest.raises(qbb.Error, match="^signal 1: now is 5ns; it must be 9us to 1000s$"):
        sender.feed([marked, qbb.Signal("timer", 5)])
    assert sender.time_ns == 9000 and sender.rate_bps == 50_000_000_000


@pytest.mark.parametrize("timeout", [False, True])
@pytest.mark.parametrize("name", ["reno", "cubic", "dctcp-window"])
def test_every_loss_of_another_window_counts(name, timeout):
    """A loss beyond what had been sent at the last one is news (RFC 6582)."""
    sender = qbb.Scheme(name).sender(line_rate="100Gbps", base_rtt="20us")
    for i, packets in enumerate((100, 1000, 1000, 1000)):
        for k in range(packets):
            sender.ack(f"{20 * (1000 * i + k + 1)}us")
        before = sender.window_bytes
        sender.loss(f"{20 * (1000 * i + packets)}us", timeout)
        assert sender.window_bytes < 0.9 * before, i


def test_a_stamp_comes_back():
    """An XCP packet asks for what is missing to the line rate; where no switch lowers that, it is
    what the ACK brings back (Katabi et al., SIGCOMM 2002)."""
    sender = qbb.Scheme("xcp").sender("100Gbps", "8us")
    first, before = sender.stamp, sender.rate_bps
    sender.ack("8us", aux=first)
    assert before < 2_000_000_000 and sender.rate_bps == 100_000_000_000
    assert sender.stamp != first


def test_a_timeout_follows_the_round_trips():
    """Three times the first one (RFC 6298, section 2)."""
    sender = qbb.Scheme("cubic").sender("100Mbps", "80us")
    assert sender.timeout_ns == 0
    sender.ack("10ms", rtt="5ms")
    assert sender.timeout_ns == 15_000_000


def test_feeding_all_is_feeding_one_by_one():
    signals = [
        qbb.Signal("notify" if i % 5 == 0 else "sent", time=f"{10 * i}us", bytes=1000) for i in range(1, 100)
    ]
    at_once, single = qbb.Scheme("dcqcn").sender(), qbb.Scheme("dcqcn").sender()
    answers = at_once.feed(signals)
    rates = [single.feed([s])["rate_bps"][0] for s in signals]
    assert answers["rate_bps"].tolist() == rates and at_once.rate_bps == single.rate_bps
    assert answers["time_ns"].tolist() == [10_000.0 * i for i in range(1, 100)]
    assert len(set(rates)) > 10


def test_timers_are_served():
    sender = qbb.Scheme("dcqcn").sender()
    sender.notify("100us")
    assert sender.wake_ns is not None
    cut = sender.wait("200us")
    assert cut < 100_000_000_000 and sender.wait("50ms") > cut


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda s: s.ack(-1), "now is"),
        (lambda s: (s.wait("5us"), s.wait("4us")), "it must be 5us to"),
        (lambda s: s.feed([qbb.Signal("acks", 0)]), 'no kind "acks": there are timer, sent'),
        (lambda s: s.ack("20us", hops=[HOP, HOP]), "2 hops; the flow has 1"),
        (lambda s: s.ack("1us", hops=[HOP]), "hop 0: line must be"),
        (lambda s: s.ack("9us", bytes=-1), "must not be negative"),
    ],
)
def test_wrong_signals(wrong, text):
    with pytest.raises(qbb.Error) as e:
        wrong(qbb.Scheme("hpcc").sender())
    assert text in str(e.value)


def test_a_refused_acknowledgement_is_none():
    def rates(refused):
        sender, answers = qbb.Scheme("hpcc").sender(), []
        for i in range(1, 40):
            if refused and i == 20:
                with pytest.raises(qbb.Error):
                    sender.ack("1us", bytes="1MB")
            answers.append(sender.ack(f"{10 + i}us", hops=[qbb.Hop("100Gbps", f"{5 + i}us", 12500 * i, 3000 * (i % 7))]))
        return answers

    plain = rates(False)
    assert len(set(plain)) > 10 and rates(True) == plain


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: qbb.Scheme("hpc").sender(), 'no scheme "hpc"'),
        (lambda: qbb.Scheme("hpcc", x=1).sender(), 'no parameter "x"'),
        (lambda: qbb.Scheme("hpcc").sender(line_rate=0), "line_rate is 0 bit/s"),
        (lambda: qbb.Scheme("hpcc").sender(base_rtt="0s"), "base_rtt is 0 ps"),
        (lambda: qbb.Scheme("hpcc").sender(line_rate="fast"), 'line_rate: "fast" is not a rate'),
        (lambda: qbb.Scheme("hpcc").sender(min_rate=None), "min_rate: None is not a number of bit/s"),
        (lambda: qbb.Scheme("hpcc").sender(hops="2"), "hops: '2' is not a whole number"),
        (lambda: qbb.Scheme("hpcc").sender(seed=-1), "seed: -1 must be 0 to 18446744073709551615"),
        (lambda: qbb.Scheme("dcqcn").sender().notify("1us", aux=-1), "aux: -1 must be 0 to"),
        (lambda: qbb.Scheme("qcn").sender().switch("1us", 2**31), "feedback: 2147483648 must be"),
        (lambda: qbb.Scheme("hpcc").sender().ack("1us", hops=[qbb.Hop(1, "soon", 0, 0)]), 'time: "soon" is not a duration'),
        (lambda: qbb.Scheme("hpcc").sender(mtu="1MB"), "mtu is"),
        (lambda: qbb.Scheme("hpcc").sender(hops=1000), "hops is 1000"),
    ],
)
def test_wrong_senders(make, text):
    with pytest.raises(qbb.Error) as e:
        make()
    assert text in str(e.value)


def test_parameters_of_a_scenario():
    text = qbb.Scenario(cc=qbb.Scheme("hpcc", target=0.5, multi_rate=True)).text
    assert "target: 0.5" in text and "multi_rate: true" in text
    assert json.loads(json.dumps(qbb.Scheme("hpcc", target=0.5).params)) == {"target": "0.5"}
