package twin

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Files may be written in other forms: other units, white space, order of keys and switches, ends of links, exponents,
// remarks at the end. The results stay the same.
func TestFilesInOtherWords(t *testing.T) {
	flows := 0
	for seed := range uint64(30) {
		dir := t.TempDir()
		write(t, dir, seed, nil)
		simulate(t, dir, 1)
		plain := results(t, dir)
		flows += bytes.Count(plain["fct.txt"], []byte("\n"))
		rng := rand.New(rand.NewPCG(seed, 25))
		for _, file := range []struct {
			name   string
			reword func(*rand.Rand, []string) []string
		}{
			{"topology.txt", rewordTopology}, {"flow.txt", rewordFlows}, {"config.txt", rewordConfig},
			{"trace.txt", func(_ *rand.Rand, words []string) []string { return words }},
		} {
			rewrite(t, filepath.Join(dir, file.name), rng, file.reword)
		}
		simulate(t, dir, 1)
		for name, text := range results(t, dir) {
			if !bytes.Equal(text, plain[name]) {
				t.Errorf("seed %d: %s differs, first in line %s", seed, name, difference(text, plain[name]))
			}
		}
	}
	if flows < 500 {
		t.Errorf("%d flows finish", flows)
	}
}

// results are the files that the reference writes too.
func results(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, name := range []string{"fct.txt", "pfc.txt", "qlen.txt", "mix.tr"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		files[name] = text
	}
	return files
}

// rewrite changes the words of a file and the white space between them. A count keeps its own line.
func rewrite(t *testing.T, path string, rng *rand.Rand, reword func(*rand.Rand, []string) []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	space := pick(rng, []string{" "}, []string{"\t"}, []string{"\r\n"}, []string{" ", "\n", "  \n\n", "\t\r\n"})
	var b strings.Builder
	for i, word := range reword(rng, strings.Fields(string(text))) {
		if i == 1 {
			b.WriteString("\n")
		} else if i > 0 {
			b.WriteString(pick(rng, space...))
		}
		b.WriteString(word)
	}
	if rng.IntN(2) == 0 {
		b.WriteString("\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func rewordTopology(rng *rand.Rand, words []string) []string {
	switches, err := strconv.Atoi(words[1])
	if err != nil {
		panic(err)
	}
	rng.Shuffle(switches, func(i, j int) { words[3+i], words[3+j] = words[3+j], words[3+i] })
	for link := 3 + switches; link < len(words); link += 5 {
		l := words[link : link+5]
		if rng.IntN(2) == 0 {
			l[0], l[1] = l[1], l[0]
		}
		l[2], l[4] = otherRate(rng, l[2]), pick(rng, l[4], l[4]+"e0")
		if nanos, err := strconv.Atoi(strings.TrimSuffix(l[3], "ns")); err == nil && nanos%1000 == 0 {
			l[3] = pick(rng, l[3], fmt.Sprint(nanos/1000, "us"), fmt.Sprint(float64(nanos/1000), "e3ns"))
		}
	}
	return append(words, pick(rng, nil, []string{"#", "remark"})...)
}

// rewordFlows writes starts with an exponent, or with digits that no double can hold.
func rewordFlows(rng *rand.Rand, words []string) []string {
	for i := 6; i < len(words); i += 6 {
		words[i] = pick(rng, words[i], words[i]+"e0", strings.Replace(words[i], ".", "", 1)+"e-9")
	}
	return append(words, pick(rng, nil, []string{"remark", "1"})...)
}

// rewordConfig shuffles the keys with their values.
func rewordConfig(rng *rand.Rand, words []string) []string {
	var keys []string
	for _, word := range words {
		if regexp.MustCompile(`^[A-Z][A-Z_0-9]+$`).MatchString(word) {
			keys = append(keys, word)
			continue
		}
		if strings.HasSuffix(word, "b/s") || strings.HasSuffix(word, "bps") {
			word = otherRate(rng, word)
		}
		keys[len(keys)-1] += " " + word
	}
	for i, key := range keys {
		keys[i] = rewordMap(rng, key)
	}
	rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return strings.Fields(strings.Join(keys, " "))
}

// rewordMap shuffles the pairs of a map by link rate, and may add one that no link has.
func rewordMap(rng *rand.Rand, key string) string {
	words := strings.Fields(key)
	if !strings.HasSuffix(words[0], "_MAP") {
		return key
	}
	pairs := slices.Collect(slices.Chunk(words[2:], 2))
	if rng.IntN(2) == 0 {
		pairs = append(pairs, []string{strconv.Itoa(1 + rng.IntN(1000)), "1"})
	}
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return fmt.Sprint(words[0], " ", len(pairs), " ", strings.Join(slices.Concat(pairs...), " "))
}

// otherRate writes a whole rate in Mb/s in another unit.
func otherRate(rng *rand.Rand, text string) string {
	mega, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSuffix(text, "Mbps"), "Mb/s"))
	if err != nil {
		return text
	}
	list := []string{"%dMb/s", "%dMbps", "%d000Kbps", "%d000kb/s", "%d000000bps", "%d000000"}
	if mega%1000 == 0 {
		return pick(rng, fmt.Sprintf(pick(rng, list...), mega), fmt.Sprint(mega/1000, "Gbps"), fmt.Sprint(mega/1000, "Gb/s"))
	}
	return fmt.Sprintf(pick(rng, list...), mega)
}
