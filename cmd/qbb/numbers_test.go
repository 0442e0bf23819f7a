package main

import "testing"

// Numbers in the tables that people read.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{ratio(0), "-"}, {ratio(1), "1.00"}, {ratio(12.34), "12.3"}, {ratio(154884.4), "154884"}, {ratio(15488440), "1.5e7"}, {exact(1234567.25), "1234567.25"}, {exact(0), "0"},
		{share(0), "0%"}, {share(0.0000311), "0.00311%"}, {share(1.5e-9), "0.00000015%"}, {share(-1e-7), "-0.00001%"}, {share(0.123456), "12.3%"}, {share(0.5), "50%"}, {share(1), "100%"}, {share(1.2345), "123%"}, {share(-12.344), "-1234%"},
		{signedShare(0), "+0%"}, {signedShare(0.02), "+2%"}, {signedShare(-0.02), "-2%"},
		{signedNanos(0), "+0 ns"}, {signedNanos(1500.0004), "+1500 ns"}, {signedNanos(-0.25), "-0.25 ns"}, {signedNanos(0.0016), "+0.002 ns"},
		{change(0, 2), "-"}, {change(2, 0), "-"}, {change(2, 2), "="}, {change(2000, 2000.9), "<0.1%"}, {change(2000, 1999.1), "<0.1%"}, {change(2000, 2001.1), "+0.1%"},
		{change(2, 1), "-50.0%"}, {change(2, 2.5), "+25.0%"}, {change(100, 199.4), "+99.4%"}, {change(100, 199.6), "+100%"}, {change(1, 9.5), "+850%"}, {change(2, 50), "x25.0"},
		{change(1, 1.5), "+50.0%"}, {change(2, 5), "+150%"}, {change(1000, 1000.1), "<0.1%"}, {change(1, 100), "x100"},
		{kilobytes(0), "0 KB"}, {kilobytes(340), "0.34 KB"}, {kilobytes(12_345), "12.3 KB"}, {kilobytes(4_500_000), "4500 KB"}, {megabytes(1_499_999), "1 MB"}, {megabytes(1_500_000), "2 MB"}, {megabytes(340e6), "340 MB"},
		{count(0), "0"}, {count(950), "950"}, {count(1000), "1.00 k"}, {count(3400), "3.40 k"}, {count(1e6), "1.00 M"}, {count(12.34e6), "12.3 M"},
		{simulated(0), "0.00 us"}, {simulated(1500), "1.50 us"}, {simulated(1e6), "1.00 ms"}, {simulated(12.34e6), "12.3 ms"}, {simulated(1e9), "1.00 s"}, {simulated(2.5e9), "2.50 s"},
		{seconds(0.0123), "12.3 ms"}, {seconds(0.1), "0.10 s"}, {seconds(12.34), "12.3 s"}, {seconds(100), "1.67 min"}, {seconds(600), "10.0 min"}, {seconds(7199), "120 min"}, {seconds(7200), "2.00 h"}, {seconds(36_000), "10.0 h"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
