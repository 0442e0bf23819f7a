/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star.h"

#include "ns3/qbb-call.h"
#include "ns3/qbb-congestion-control.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <set>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

/// A flow's signals, 1 us apart.
enum Heard
{
    QUIET,
    SENT,
    ACK,
    MARKED_ACK,
    CNP,
    TIMED_OUT,
};

/**
 * \param step number of the step
 * \return what the flow hears
 */
Heard
Script(int step)
{
    static const Heard pattern[] = {SENT, ACK, SENT, CNP, SENT, MARKED_ACK, QUIET, SENT, ACK};
    return step == 300 ? TIMED_OUT : pattern[step % 9];
}

/// The adapter's answers are those of the library's sender, called directly at the same times.
class AdapterAnswers : public TestCase
{
  public:
    /**
     * \param scheme name of the scheme
     */
    explicit AdapterAnswers(const std::string& scheme)
        : TestCase("the adapter answers as the library: " + scheme),
          m_scheme(scheme)
    {
    }

  private:
    static constexpr int STEPS = 400;
    static constexpr int64_t MTU = 1000;

    /// Sets up both.
    void DoSetup() override
    {
        qbb_flow flow{};
        flow.size = sizeof flow;
        flow.line = 100000000000;
        flow.base_rtt = 8000000;
        flow.mtu = MTU;
        flow.bytes = 1 << 30;
        flow.hops = 1;
        flow.seed = 1;
        m_cc = CreateObjectWithAttributes<QbbCongestionControl>("Scheme", StringValue(m_scheme));
        m_cc->Start(flow);
        m_lazy = m_cc->GetTraits().lazy_timers;
        QbbCheck(qbb_scheme_new(m_scheme.c_str(), nullptr, &m_direct));
        QbbCheck(qbb_sender_new(m_direct, &m_sender));
        QbbCheck(qbb_sender_start(m_sender, 0, &flow, &m_control));
        m_hop.line = flow.line;
    }

    /**
     * \brief Tells the library's sender, after the timers that have come.
     * \param signal what it hears
     */
    void Direct(qbb_signal signal)
    {
        signal.now = QbbNow();
        signal.born = QBB_NEVER;
        QbbCheck(qbb_sender_step(m_sender, &signal, &m_control));
    }

    /// Fires the timers that are due before now, at their times; those due now too, if wanted.
    void FireTimers(bool now)
    {
        while (m_control.wake < QbbNow() || (now && m_control.wake == QbbNow()))
        {
            qbb_signal timer{};
            timer.now = m_lazy ? QbbNow() : m_control.wake;
            timer.born = QBB_NEVER;
            timer.kind = QBB_TIMER;
            QbbCheck(qbb_sender_step(m_sender, &timer, &m_control));
        }
    }

    /**
     * \brief Tells both of one thing.
     * \param step number of the step
     */
    void Step(int step)
    {
        if (!m_lazy)
        {
            FireTimers(true); // these events of the adapter were scheduled before this one
        }
        qbb_signal signal{};
        const Time sent = Simulator::Now() - MicroSeconds(10 + step % 100);
        switch (Script(step))
        {
        case QUIET:
            break;
        case SENT:
            m_cc->Sent(MTU + 48);
            signal.kind = QBB_SENT;
            signal.bytes = MTU + 48;
            Direct(signal);
            break;
        case ACK:
        case MARKED_ACK:
            AckBoth(sent, Script(step) == MARKED_ACK);
            break;
        case CNP:
            m_cc->Cnp();
            signal.kind = QBB_NOTIFY;
            Direct(signal);
            break;
        case TIMED_OUT:
            m_cc->Loss(m_acked, m_acked + 5 * MTU, true);
            signal.kind = QBB_LOSS;
            signal.flags = QBB_TIMEOUT;
            signal.acked = m_acked;
            signal.next = m_acked + 5 * MTU;
            Direct(signal);
            break;
        }
        const int64_t rate = m_cc->GetRate().GetBitRate();
        const int64_t window = m_cc->GetWindow();
        if (m_lazy)
        {
            FireTimers(true);
        }
        NS_TEST_EXPECT_MSG_EQ(rate, m_control.rate, "rate after step " << step);
        NS_TEST_EXPECT_MSG_EQ(window, m_control.window, "window after step " << step);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetGap().GetPicoSeconds(), m_control.gap, "gap");
        m_answers.emplace(rate, window);
        m_steps++;
    }

    /**
     * \brief Tells both of an acknowledgement.
     * \param sent when the packet was sent
     * \param marked whether it was marked
     */
    void AckBoth(Time sent, bool marked)
    {
        m_acked += MTU;
        m_hop.at = QbbNow();
        m_hop.tx += 20000;
        m_hop.queue = m_acked % 7000 * 20;
        m_cc->Ack(m_acked, MTU, m_acked + 5 * MTU, sent, marked, &m_hop, 1);
        qbb_signal signal{};
        if (marked && m_cc->GetTraits().notify_is_echo)
        {
            signal.kind = QBB_NOTIFY;
            Direct(signal);
        }
        signal = {};
        signal.kind = QBB_ACK;
        signal.flags = marked ? QBB_ECE : 0;
        signal.bytes = MTU;
        signal.marked = marked ? MTU : 0;
        signal.acked = m_acked;
        signal.next = m_acked + 5 * MTU;
        signal.in_flight = 5 * MTU;
        signal.sent_at = sent.GetPicoSeconds();
        signal.rtt = QbbNow() - signal.sent_at;
        signal.n_hops = 1;
        signal.hops = &m_hop;
        Direct(signal);
    }

    void DoRun() override
    {
        for (int i = 0; i < STEPS; i++)
        {
            Simulator::Schedule(MicroSeconds(100 + i), &AdapterAnswers::Step, this, i);
        }
        Simulator::Stop(MicroSeconds(100 + STEPS));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_steps, STEPS, "steps");
        if (m_scheme != "none")
        {
            NS_TEST_EXPECT_MSG_GT(m_answers.size(), 3, "answers: this tests too little");
        }
    }

    void DoTeardown() override
    {
        m_cc->Dispose();
        m_cc = nullptr;
        Simulator::Destroy();
        QbbCheck(qbb_sender_free(m_sender));
        QbbCheck(qbb_scheme_free(m_direct));
    }

    std::string m_scheme;           //!< name of the scheme
    Ptr<QbbCongestionControl> m_cc; //!< the adapter
    qbb_scheme m_direct{0};         //!< the scheme, directly
    qbb_sender m_sender{0};         //!< the sender, directly
    qbb_control m_control{};        //!< its answer
    qbb_hop m_hop{};                //!< telemetry
    int64_t m_acked{0};             //!< bytes
    bool m_lazy{false};             //!< timers wait until the answer is asked for
    int m_steps{0};                 //!< made so far
    std::set<std::pair<int64_t, int64_t>> m_answers; //!< rates and windows seen so far
};

/// The tests of the adapter.
class QbbAdapterTestSuite : public TestSuite
{
  public:
    QbbAdapterTestSuite()
        : TestSuite("qbb-adapter")
    {
        for (const auto* scheme : {"none", "hpcc", "dcqcn", "dctcp", "timely", "swift"})
        {
            AddTestCase(new AdapterAnswers(scheme));
        }
    }

  private:
    void DoSetup() override
    {
        qbbtest::UsePicoseconds();
    }
};

QbbAdapterTestSuite g_qbbAdapterTestSuite; //!< the suite

} // namespace
