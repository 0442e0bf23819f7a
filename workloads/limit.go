package workloads

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// flowBytes is the memory of a flow until the run begins: 390 bytes, measured with two million.
const flowBytes core.Bytes = 400

// maxFlows is the most flows of one generator, which a run numbers in 32 bits.
const maxFlows = 1e9

// usualMemory is assumed where the machine's memory cannot be read.
const usualMemory core.Bytes = 16e9

// TooMany bounds one generator by the machine's memory, so that a slip of the pen is reported before
// that is full. The fix says what makes fewer flows.
func TooMany(expected float64, fix string) error { return TooManyWith(expected, 0, fix) }

// TooManyWith is TooMany for flows of which each takes more bytes of memory than those of other generators.
func TooManyWith(expected float64, more core.Bytes, fix string) error {
	return tooManyFor(expected, flowBytes+more, machineMemory(), fix)
}

func tooManyFor(expected float64, each, memory core.Bytes, fix string) error {
	const gigabyte = 1e9
	switch need := expected * float64(each); {
	case need > float64(memory):
		return fmt.Errorf("this would make about %.3g flows, which take %.3g GB of a memory of %.3g GB; %s",
			expected, need/gigabyte, float64(memory)/gigabyte, fix)
	case expected > maxFlows:
		return fmt.Errorf("this would make about %.3g flows, the limit is %.3g; %s", expected, float64(maxFlows), fix)
	}
	return nil
}

// lessTraffic makes fewer of the flows that arrive over time.
const lessTraffic = "shorten the time or lower the load"

// machineMemory is the memory of the machine, as Linux reports it.
func machineMemory() core.Bytes {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return usualMemory
	}
	return memoryIn(string(text))
}

// memoryIn reads proc_meminfo(5).
func memoryIn(text string) core.Bytes {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] != "MemTotal:" || words[2] != "kB" {
			continue
		}
		if kib, err := strconv.ParseInt(words[1], 10, 50); err == nil {
			return core.Bytes(kib << 10)
		}
	}
	return usualMemory
}
