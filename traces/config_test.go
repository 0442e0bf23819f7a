package traces

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestConfigOfBaselines(t *testing.T) {
	for _, dir := range cases(t, "config.txt") {
		path := filepath.Join(dir, "config.txt")
		c, err := LoadConfig(path)
		if err != nil {
			t.Error(err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(contents(t, path))), "\n")
		if len(c.lines) != len(lines) {
			t.Errorf("%s: %d keys in %d lines", path, len(c.lines), len(lines))
		}
		for i, text := range lines {
			key := strings.Fields(text)[0]
			if line, ok := c.Given(key); !ok || line != i+1 {
				t.Errorf("%s: %s is on line %d, not %d", path, key, line, i+1)
			}
		}
		if err := c.Require(configKeys...); err != nil {
			t.Errorf("a known key that the baselines lack: %v", err)
		}
	}
}

func TestConfigValues(t *testing.T) {
	c, err := LoadConfig(filepath.Join(baselines, "fat16-linkdown-hpcc", "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		EnableQCN: true, DynamicPFC: true, Payload: 1000,
		TopologyFile: "topology.txt", FlowFile: "flow.txt", TraceFile: "trace.txt",
		TraceOutput: "mix.tr", FCTOutput: "fct.txt", PFCOutput: "pfc.txt",
		Stop: core.Time(4 * core.Second), CCMode: 3,
		AlphaResume: core.Microsecond, RateDecrease: 4 * core.Microsecond, RPTimer: 300 * core.Microsecond,
		EWMAGain: 1.0 / 256, FastRecoveryStep: 1,
		RateAI: 40 * core.Mbps, RateHAI: 40 * core.Mbps, MinRate: core.Gbps, DCTCPRateAI: 615 * core.Mbps,
		ChunkSize: 4000, AckInterval: 1, HasWin: true, GlobalT: true, VarWin: true, FastReact: true,
		UTarget: 0.95, INTMulti: 4, PINTLogBase: 1.05, PINTProb: 1, RateBound: true,
		LinkDown:   LinkDown{After: 500 * core.Microsecond, A: 16, B: 20},
		KMax:       []RateSize{{100 * core.Gbps, 1600_000}, {400 * core.Gbps, 6400_000}},
		KMin:       []RateSize{{100 * core.Gbps, 400_000}, {400 * core.Gbps, 1600_000}},
		PMax:       []RateProb{{100 * core.Gbps, 0.2}, {400 * core.Gbps, 0.2}},
		BufferSize: 32 << 20, QueueMonFile: "qlen.txt",
		QueueMonStart: core.AtNanos(2e9), QueueMonEnd: core.AtNanos(2e9),
		file: c.file, lines: c.lines,
	}
	if !reflect.DeepEqual(*c, want) {
		t.Errorf("got  %+v\nwant %+v", *c, want)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"CC_MODE 3\nCC_MOD 3", `c:2: unknown key "CC_MOD": did you mean CC_MODE?`},
		{"# all defaults", `c:1: unknown key "#": this format has no comments: remove it`},
		{"src,dst,bytes,start_s\n0,1,1000,0", `c:1: unknown key "src,dst,bytes,start_s": is this a config.txt? Flows and networks have keys, or flags, of their own`},
		{"12 4 12\n8 9", `c:1: unknown key "12": is this a config.txt? Flows and networks have keys, or flags, of their own`},
		{"CC_MODE 3\nMY_SWITCH 3", `c:2: unknown key "MY_SWITCH": the reference has no such key: remove it with its value; qbb help inputs lists the keys`},
		{"CC_MODE 3\nLB_MODE 0", `c:2: unknown key "LB_MODE": the reference has no such key: remove it with its value; --load-balance does what it does elsewhere`},
		{"CC_MODE 3\nENABLE_IRN 0", `c:2: unknown key "ENABLE_IRN": the reference has no such key: remove it with its value; --recovery selective does what it does elsewhere`},
		{"CC_MODE 3\nLB_MODE 0\nHAS_WIN 1\nMY_SWITCH 3 4 MY_VALUE\nU_TARGET 0.9\nENABLE_IRN 1\nMY_SWITCH 2\nenable_x 1\n\xff", `c:2: unknown key "LB_MODE": the reference has no such key: remove it with its value, and so MY_SWITCH, ENABLE_IRN; --load-balance does what it does elsewhere`},
		{"CC_MODE 3\nCC_MOD 3\nMY_SWITCH 3", `c:2: unknown key "CC_MOD": did you mean CC_MODE?`},
		{"CC_MODE 3\nENABLE_TCP 0", `c:2: unknown key "ENABLE_TCP": the reference has no such key: remove it with its value; qbb help inputs lists the keys`},
		{"CC_MODE 3\nCNP_OUTPUT_FILE x", `c:2: unknown key "CNP_OUTPUT_FILE": the reference has no such key: remove it with its value; qbb help inputs lists the keys`},
		{"CC_MODE 3\nENABLE_QNC 1", `c:2: unknown key "ENABLE_QNC": did you mean ENABLE_QCN?`},
		{"CC_MODE 3\nRATEBOUND 1", `c:2: unknown key "RATEBOUND": did you mean RATE_BOUND?`},
		{"CC_MODE 3\nCLAMP_TARG", `c:2: unknown key "CLAMP_TARG": did you mean CLAMP_TARGET_RATE?`},
		{"cc_mode 3", `c:1: unknown key "cc_mode": did you mean CC_MODE?`},
		{"CC_MODE 3\nHAS_WIN 1\nCC_MODE 7", `c:3: key given twice "CC_MODE": it is also on line 1: remove one`},
		{"CC_MODE 2", `c:1: CC_MODE has no such value "2": write one of 1 3 7 8 10, and --cc NAME for any other scheme`},
		{"CC_MODE\nHAS_WIN 1", `c:1: no value for key "CC_MODE": HAS_WIN follows: write a value between them`},
		{"HAS_WIN", `c:1: no value for key "HAS_WIN": the file ends: write a value`},
		{"HAS_WIN yes", `c:1: HAS_WIN is not a whole number "yes": write a whole number from 0 to 1`},
		{"HAS_WIN 2", `c:1: HAS_WIN is out of range "2": write a whole number from 0 to 1`},
		{"RATE_AI fast", `c:1: RATE_AI: "fast" is not a rate (a number and a unit such as 100Gbps or 40Mb/s)`},
		{"RATE_AI -1Mb/s", `c:1: RATE_AI is negative "-1Mb/s": write a rate such as 100Gbps`},
		{"MIN_RATE 0Mb/s", `c:1: MIN_RATE is not above zero "0Mb/s": write a rate such as 100Gbps`},
		{"PMAX_MAP 1 25000000000 1.5", `c:1: PMAX_MAP probability is out of range "1.5": write a number from 0 to 1`},
		{"EWMA_GAIN half", `c:1: EWMA_GAIN is not a number "half": write a number from 0 to 1`},
		{"EWMA_GAIN 1e999", `c:1: EWMA_GAIN is out of range "1e999": write a number from 0 to 1`},
		{"EWMA_GAIN NaN", `c:1: EWMA_GAIN is not a number "NaN": write a number from 0 to 1`},
		{"EWMA_GAIN 1.5", `c:1: EWMA_GAIN is out of range "1.5": write a number from 0 to 1`},
		{"U_TARGET 0", `c:1: U_TARGET is out of range "0": write a number from 0.001 to 2`},
		{"RP_TIMER -1", `c:1: RP_TIMER is out of range "-1": write a number from 0 to 9e+12`},
		{"BUFFER_SIZE 9999999", `c:1: BUFFER_SIZE is out of range "9999999": write a whole number from 1 to 4095`},
		{"SIMULATOR_STOP_TIME 1e300", `c:1: SIMULATOR_STOP_TIME is out of range "1e300": write a number from 0 to 9e+06`},
		{"KMAX_MAP 1000000000000 1 2", `c:1: KMAX_MAP number of pairs is out of range "1000000000000": write a whole number from 0 to 1024`},
		{"KMAX_MAP 2 100 5\nHAS_WIN 1", `c:2: too few pairs for "KMAX_MAP": HAS_WIN follows: correct the number of pairs`},
		{"KMAX_MAP 2 100 5 100 6", `c:1: KMAX_MAP gives a rate twice "100": remove one pair`},
		{"KMAX_MAP 1 100 4294968", `c:1: KMAX_MAP threshold is out of range "4294968": write a whole number from 0 to 4294967`},
		{"MI_THRESH -1", `c:1: MI_THRESH is out of range "-1": write a whole number from 0 to 4294967295`},
		{"LINK_DOWN 5 0", `c:1: the file ends where LINK_DOWN node should follow: is it complete?`},
		{"HAS_WIN 1\n\nTOPOLOGY_FILE " + strings.Repeat("x", 4097), `c:3: word of more than 4096 bytes "` + strings.Repeat("x", 48) + `"...: is this a text file?`},
		{"TOPOLOGY_FILE \xff", `c:1: not UTF-8 text "\xff": save the file as UTF-8`},
	} {
		_, err := ReadConfig("c", strings.NewReader(test.text))
		checkError(t, err, test.want)
	}
	c, err := ReadConfig("c", strings.NewReader("HAS_WIN 1"))
	if err != nil {
		t.Fatal(err)
	}
	checkError(t, c.Require("HAS_WIN", "FLOW_FILE"), `c: no key "FLOW_FILE": add a line FLOW_FILE VALUE`)
}

// What is no decimal, time or rate is whole: of such a key the reference would take the fraction for the next one.
func TestConfigWholeNumbers(t *testing.T) {
	for _, f := range configFields {
		key, value := f.Tag.Get("key"), "1.5"
		switch reflect.Zero(f.Type).Interface().(type) {
		case bool, int64, core.Bytes, []RateSize, []RateProb:
		case core.Time:
			if f.Tag.Get("unit") == "s" {
				continue
			}
		case LinkDown:
			value = "1.5 0.5 1"
		default:
			continue
		}
		_, err := ReadConfig("config.txt", strings.NewReader("\n"+key+" "+value))
		if err == nil || !strings.HasPrefix(err.Error(), "config.txt:2: "+key) || !strings.Contains(err.Error(), "is not a whole number") {
			t.Errorf("%s %s: %v", key, value, err)
		}
	}
}

// Thresholds, which the reference keeps as bytes in 32 bits, may be in any order, as there, and a map may have no pairs.
// A rate with a fraction has the value that the reference's arithmetic gives it.
func TestConfigMapsAndRates(t *testing.T) {
	for _, text := range []string{"KMIN_MAP 1 100 6 KMAX_MAP 1 100 5", "KMIN_MAP 1 100 6 PMAX_MAP 1 200 0.2", "KMAX_MAP 1 100 4294967 PMAX_MAP 1 200 0.2",
		"KMAX_MAP 1 100 5 KMIN_MAP 1 100 6 PMAX_MAP 1 100 0.2", "KMAX_MAP 1 100 5 KMIN_MAP 1 200 6 PMAX_MAP 1 100 0.2", "KMAX_MAP 1 100 5 KMIN_MAP 1 100 5 PMAX_MAP 1 200 0.2",
		"KMAX_MAP 0 KMIN_MAP 0 PMAX_MAP 0", "PMAX_MAP 0\nHAS_WIN 1"} {
		if _, err := ReadConfig("c", strings.NewReader(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	c, err := ReadConfig("c", strings.NewReader("MIN_RATE\t4.1Gbps\r\nRATE_AI 0bps"))
	if err != nil || c.MinRate != 4_099_999_999 || c.RateAI != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// The reference's clock counts whole nanoseconds, and truncates what a double cannot hold: that of 1.001 is below it.
func TestConfigTimesAreWholeNanoseconds(t *testing.T) {
	c, err := ReadConfig("c", strings.NewReader("RP_TIMER 1.0019\nALPHA_RESUME_INTERVAL 1.001 RATE_DECREASE_INTERVAL 4 LINK_DOWN 0.5009 0 1"))
	if err != nil {
		t.Fatal(err)
	}
	const ns = core.Nanosecond
	if c.RPTimer != 1001*ns || c.AlphaResume != 1000*ns || c.RateDecrease != 4000*ns || c.LinkDown.After != 500*ns {
		t.Errorf("got %v, %v, %v and %v, want 1001ns, 1000ns, 4000ns and 500ns", c.RPTimer, c.AlphaResume, c.RateDecrease, c.LinkDown.After)
	}
}

func TestCompressedText(t *testing.T) {
	const text = "HAS_WIN 1\nCC_MODE 8\n"
	for _, s := range []string{text, gzipped(text), zstded(text), byteOrderMark + strings.ReplaceAll(text, "\n", "\r\n")} {
		c, err := ReadConfig("c", strings.NewReader(s))
		if err != nil || c.CCMode != 8 || !c.HasWin {
			t.Errorf("%.4q...: %v, %v", s, c, err)
		}
	}
	cut := gzipped(strings.Repeat(text, 1000))
	_, err := ReadConfig("c", strings.NewReader(cut[:len(cut)/2]))
	checkOneLine(t, err, "c")
	if err == nil {
		t.Error("half a gzip file was accepted")
	}
}

func FuzzConfig(f *testing.F) {
	seedFiles(f, "config.txt")
	f.Add([]byte("KMAX_MAP 2 1 2 HAS_WIN 1"))
	f.Add([]byte(gzipped("HAS_WIN 1")))
	f.Add([]byte(zstded("HAS_WIN 1")))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadConfig("c", bytes.NewReader(b))
		checkOneLine(t, err, "c")
		if (c == nil) == (err == nil) {
			t.Errorf("config %v, error %v", c, err)
		}
	})
}
