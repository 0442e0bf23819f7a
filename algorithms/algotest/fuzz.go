package algotest

import "testing"

// FuzzSender fuzzes a sender: the input is a tape of signals, four bytes each, and every
// answer must keep the rules of the contract.
func FuzzSender(f *testing.F, factory Factory) {
	s := factory.Plain(f)
	f.Add([]byte{})
	f.Add(randomTape(1, 16))
	f.Add(randomTape(2, 256))
	f.Fuzz(func(t *testing.T, tape []byte) {
		if len(tape) > 4096*bytesPerSignal {
			t.Skip("longer than a run needs to be")
		}
		if err := checkTape(s, tape); err != nil {
			t.Error(err)
		}
	})
}
