//go:build cgo

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mayBeNull are the pointers that qbb.h allows to be NULL, or that are not used when nothing is
// wanted.
var mayBeNull = map[string]bool{
	"qbb_scheme_new.params":      true,
	"qbb_sender_step_batch.done": true,
	"qbb_nic_open.qp":            true,
	"qbb_scenario_read.name":     true,
	"qbb_run_write.path":         true,
}

// handleTypes are the types of qbb.h that are handles, and the test's object of each type.
var handleTypes = map[string]string{
	"qbb_scheme": "small.scheme", "qbb_sender": "sender", "qbb_net": "small.net", "qbb_node": "small.host[0]",
	"qbb_topology": "topology", "qbb_scenario": "scenario", "qbb_run": "run",
}

// arguments are the arguments that must not be zeros, by type, or by type and name.
var arguments = map[string]string{
	"const qbb_flow_config *": "&message", "const qbb_datagram *": "&datagram",
	"const qbb_packet *": "&pause", "uint32_t port": "0", "uint32_t i": "0", "int32_t node": "4",
}

// parameter is a parameter of a function of qbb.h.
type parameter struct{ kind, name string }

func (p parameter) isPointer() bool { return strings.Contains(p.kind, "*") }

// valid returns an argument of the parameter's type that may be read and written.
func (p parameter) valid() string {
	switch {
	case handleTypes[p.kind] != "":
		return handleTypes[p.kind]
	case arguments[p.kind] != "":
		return arguments[p.kind]
	case arguments[p.kind+" "+p.name] != "":
		return arguments[p.kind+" "+p.name]
	case strings.Contains(p.kind, "char"):
		return "(" + p.kind + ")text"
	case p.isPointer():
		return "(" + p.kind + ")(void *)room"
	}
	return "1"
}

// declarations returns the functions of qbb.h that return int, with their parameters.
func declarations(t *testing.T) map[string][]parameter {
	t.Helper()
	header, err := os.ReadFile("qbb.h")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]parameter{}
	for _, m := range regexp.MustCompile(`(?m)^int (qbb_\w+)\(([^)]*)\);`).FindAllStringSubmatch(string(header), -1) {
		for _, text := range strings.Split(m[2], ",") {
			text = strings.Join(strings.Fields(text), " ")
			at := strings.LastIndexAny(text, " *")
			found[m[1]] = append(found[m[1]], parameter{strings.TrimSpace(text[:at+1]), text[at+1:]})
		}
	}
	if len(found) < 60 {
		t.Fatalf("found %d functions in qbb.h", len(found))
	}
	return found
}

// replaced returns a call of a function with one argument replaced.
func replaced(name string, list []parameter, at int, argument string) string {
	all := make([]string, len(list))
	for i, p := range list {
		all[i] = p.valid()
		if p.kind == "qbb_node" && strings.HasPrefix(name, "qbb_switch") {
			all[i] = "small.sw"
		}
	}
	all[at] = argument
	return name + "(" + strings.Join(all, ", ") + ")"
}

// TestRefusals calls every function of qbb.h with every handle wrong in every way, and with every
// pointer NULL: each is refused with the code that the header names.
func TestRefusals(t *testing.T) {
	var calls strings.Builder
	for name, list := range declarations(t) {
		for i, p := range list {
			if _, isHandle := handleTypes[p.kind]; isHandle {
				for kind, object := range handleTypes {
					if kind != p.kind {
						fmt.Fprintf(&calls, "\tMUST(QBB_E_HANDLE, \"is no\", %s);\n", replaced(name, list, i, object))
					}
				}
				for _, wrong := range []string{"0", "UINT64_MAX", "freed." + strings.TrimPrefix(p.kind, "qbb_")} {
					fmt.Fprintf(&calls, "\tMUST(QBB_E_HANDLE, \"is no\", %s);\n", replaced(name, list, i, wrong))
				}
			}
			if p.isPointer() && !mayBeNull[name+"."+p.name] {
				fmt.Fprintf(&calls, "\tMUST(QBB_E_NULL, \"%s is NULL\", %s);\n", p.name, replaced(name, list, i, "NULL"))
			}
		}
	}
	file := filepath.Join(t.TempDir(), "refusals.c")
	source := strings.Replace(refusals, "CALLS", calls.String(), 1)
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	execute(t, compile(t, file, "-O0", "-Itests"))
}

const refusals = `#include "check.h"

/* REFUSED that goes on. */
#define MUST(code, word, call)                                                         \
	do {                                                                           \
		int got = (call);                                                      \
		if (got != (code) || !strstr(qbb_last_error(), (word))) {              \
			printf("%s gave %d and \"%s\"\n", #call, got, qbb_last_error()); \
			wrong++;                                                       \
		}                                                                      \
	} while (0)

static int wrong;

static uint64_t room[1 << 16];
static char text[64] = "x";
static struct small small;
static qbb_flow_config message;
static const qbb_packet pause = {.src = 2, .dst = 0, .size = 64, .kind = QBB_PKT_PAUSE, .aux = 8 | 100 << 8};
static const qbb_datagram datagram = {.size = sizeof datagram, .dst = 1, .bytes = 100, .prio = 1};
static qbb_sender sender;
static qbb_topology topology;
static qbb_scenario scenario;
static qbb_run run;
static struct { uint64_t scheme, sender, net, node, topology, scenario, run; } freed;

static void make(void)
{
	const uint8_t kinds[3] = {0, 0, 1};
	const qbb_link links[2] = {{.a = 0, .b = 2, .rate = LINE}, {.a = 1, .b = 2, .rate = LINE}};
	qbb_topology_config c;

	small = make_small("hpcc");
	message = a_message(1000);
	CHECK(qbb_sender_new(small.scheme, &sender) == 0);
	CHECK(qbb_topology_default(QBB_NATIVE, &c) == 0);
	c.nodes = 3;
	c.kinds = kinds;
	c.links = links;
	c.n_links = 2;
	CHECK(qbb_topology_new(&c, &topology) == 0);
	CHECK(qbb_scenario_read(NULL, "topology: star:n=4\n", 19, &scenario) == 0);
	run = a_run(QBB_RUN_HOSTED);
}

static void drop(void)
{
	freed.scheme = small.scheme;
	freed.net = small.net;
	freed.node = small.host[0];
	freed.sender = sender;
	freed.topology = topology;
	freed.scenario = scenario;
	freed.run = run;
	CHECK(qbb_net_free(small.net) == 0 && qbb_scheme_free(small.scheme) == 0 && qbb_sender_free(sender) == 0);
	CHECK(qbb_topology_free(topology) == 0 && qbb_scenario_free(scenario) == 0 && qbb_run_free(run) == 0);
}

int main(void)
{
	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	make();
	drop();
	make();
CALLS	drop();
	CHECK(qbb_live() == 0);
	return wrong > 0;
}
`
