package report

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/results/sample"
)

// probe runs in the page, uses it as a reader would, and reports to the page around it what it saw.
const probe = `<script>
const errors = [];
// over names what reaches beyond the window and cannot be scrolled by itself.
const over = () => [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, pre'))
  .map(e => e.tagName + ' ' + e.textContent.slice(0, 60));
// nowhere names attributes of pictures that are not numbers.
const nowhere = () => [...document.querySelectorAll('.plot *')].flatMap(e => [...e.attributes].filter(a => /NaN|Infinity|undefined/.test(a.value)))
  .map(a => a.ownerElement.tagName + ' ' + a.name + '=' + a.value.slice(0, 60));
// network moves the slider through the run, asks for every quantity, and points at a link.
function network() {
  const figure = document.getElementById('network');
  if (!figure) return undefined;
  const links = () => [...figure.querySelectorAll('.link')];
  const look = () => links().map(l => l.getAttribute('stroke') + l.getAttribute('stroke-width')).join();
  const slider = figure.querySelector('input'), output = figure.querySelector('output');
  const seen = { links: links().length, steps: Number(slider.max), whole: output.textContent, looks: [] };
  const changes = new Set([look()]);
  for (let i = 0; i <= slider.max; i++) {
    slider.value = i;
    slider.dispatchEvent(new Event('input'));
    changes.add(look());
  }
  seen.changes = changes.size;
  seen.last = output.textContent;
  slider.value = 0;
  slider.dispatchEvent(new Event('input'));
  for (const b of figure.querySelectorAll('.controls button')) { b.click(); seen.looks.push(b.textContent + ' ' + look().length); }
  const l = links()[0].getBoundingClientRect();
  figure.querySelector('.plot svg').dispatchEvent(new PointerEvent('pointermove', { clientX: l.left + l.width / 2, clientY: l.top + l.height / 2, bubbles: true }));
  const tip = figure.querySelector('.tip');
  seen.tip = tip.hidden ? '' : tip.innerText;
  const key = name => figure.querySelector('.plot svg').dispatchEvent(new KeyboardEvent('keydown', { key: name }));
  key('ArrowRight');
  seen.next = tip.hidden ? '' : tip.innerText;
  key('ArrowLeft');
  seen.again = tip.innerText === seen.tip;
  return seen;
}
addEventListener('error', e => errors.push(e.message));
addEventListener('securitypolicyviolation', e => errors.push(e.violatedDirective));
addEventListener('load', () => {
  const charts = {}, bad = nowhere();
  for (const figure of document.querySelectorAll('figure')) {
    if (figure.id === 'network') continue;
    const seen = charts[figure.id] = {};
    const picture = () => figure.querySelector('.plot svg');
    const drawn = () => picture() ? picture().querySelectorAll('path.curve, rect[fill]').length : 0;
    const tip = () => figure.querySelector('.tip:not([hidden])');
    seen.drawn = drawn();
    seen.ranges = picture() ? picture().querySelectorAll('path[stroke="var(--text)"]').length : 0;
    seen.marks = picture() ? picture().querySelectorAll('path[transform]').length : 0;
    seen.dashes = picture() ? new Set([...picture().querySelectorAll('path.curve')].map(c => c.getAttribute('stroke-dasharray'))).size : 0;
    if (!picture()) continue;
    const frame = picture().getBoundingClientRect();
    seen.cut = [...picture().querySelectorAll('text')].filter(t => {
      const r = t.getBoundingClientRect();
      return r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1;
    }).map(t => t.textContent);
    const button = figure.querySelector('.legend button');
    button.click();
    seen.toggled = drawn();
    seen.pressed = button.getAttribute('aria-pressed');
    button.click();
    seen.back = drawn();
    const at = (type, share) => picture().dispatchEvent(new PointerEvent(type, {
      clientX: frame.left + share * frame.width, clientY: frame.top + 40, bubbles: true, button: 0 }));
    if (!picture().hasAttribute('tabindex')) continue;
    at('pointermove', 0.6);
    seen.values = tip() ? [...tip().querySelectorAll('b')].map(b => b.textContent) : [];
    if (tip()) {
      const r = tip().getBoundingClientRect();
      seen.outside = r.left < 0 || r.right > innerWidth;
    }
    at('pointerleave', 0.6);
    seen.left = !tip();
    const labels = () => [...picture().querySelectorAll('text')].map(t => t.textContent).join();
    const whole = labels();
    at('pointerdown', 0.4); at('pointermove', 0.5); at('pointerup', 0.5);
    seen.zoomed = labels() !== whole;
    picture().dispatchEvent(new MouseEvent('dblclick'));
    seen.unzoomed = labels() === whole;
    const key = name => picture().dispatchEvent(new KeyboardEvent('keydown', { key: name }));
    key('ArrowLeft');
    seen.keys = !!tip();
    for (let i = 0; i < 40; i++) { key('ArrowRight'); key('+'); }
    seen.distinct = ['end', 'middle'].every(side => {
      const names = [...picture().querySelectorAll('text[text-anchor=' + side + ']:not(.strong)')].map(t => t.textContent);
      return new Set(names).size === names.length;
    });
    seen.narrowed = labels() !== whole;
    bad.push(...nowhere());
    key('Escape');
    seen.unzoomed = seen.unzoomed && labels() === whole;
  }
  for (const d of document.querySelectorAll('details')) d.open = true;
  parent.postMessage({ errors, bad: [...bad, ...nowhere()], foreign: document.querySelectorAll('.foreign').length, charts, network: network(), over: over(), width: innerWidth, wide: document.documentElement.scrollWidth }, '*');
});
</script>`

// outcome is what the probe saw.
type outcome struct {
	Errors  []string
	Bad     []string // attributes that are not numbers
	Foreign int      // elements created from a name
	Width   int      // of the window
	Wide    int      // of the page
	Over    []string
	Network struct {
		Links, Steps, Changes int
		Whole, Last           string
		Tip, Next             string
		Again                 bool
		Looks                 []string
	}
	Charts map[string]struct {
		Drawn, Toggled, Back                  int // curves or bars
		Dashes, Marks, Ranges                 int // different ones; all; of bars
		Pressed                               string
		Cut, Values                           []string
		Left, Outside, Zoomed, Unzoomed, Keys bool
		Distinct, Narrowed                    bool
	}
}

// browse opens a page in windows of the given widths and returns what the probe saw in each.
func browse(t *testing.T, page string, widths ...int) []outcome {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here: the page was not opened in a browser")
	}
	dir := t.TempDir()
	frames := `<!doctype html><pre id="seen"></pre><script>addEventListener('message', e => {
		document.getElementById('seen').textContent += JSON.stringify(e.data) + '\n'; });</script>`
	for _, w := range widths {
		frames += fmt.Sprintf(`<iframe src="page.html" style="width:%dpx;height:900px;border:0"></iframe>`, w)
	}
	for name, text := range map[string]string{"frames.html": frames, "page.html": strings.Replace(page, "</title>", "</title>"+probe, 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=1700,1000", "--virtual-time-budget=10000", "--dump-dom", "file://"+filepath.Join(dir, "frames.html"))
	dom, err := c.Output()
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	found := regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`).FindSubmatch(dom)
	if found == nil {
		t.Fatalf("the browser shows something else:\n%s", dom)
	}
	var seen []outcome
	for line := range strings.Lines(html.UnescapeString(string(found[1]))) {
		var o outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, o)
	}
	if len(seen) != len(widths) {
		t.Fatalf("%d of %d windows answered", len(seen), len(widths))
	}
	return seen
}

// In a browser the page draws all charts, without errors, within the width of a telephone and of a
// large screen; clicking names hides curves, pointing shows values, dragging zooms.
func TestBrowser(t *testing.T) {
	runs := loadAll(t, sample.Two(t)...)
	for _, o := range browse(t, write(t, runs), 400, 1600) {
		if len(o.Errors) > 0 {
			t.Errorf("%d px: %q", o.Width, o.Errors)
		}
		if o.Wide > o.Width {
			t.Errorf("%d px: the page is %d px wide: %q", o.Width, o.Wide, o.Over)
		}
		n := o.Network
		if n.Links != 64 || n.Steps != 60 || n.Changes < 20 || !strings.HasPrefix(n.Whole, "the whole run") || !strings.Contains(n.Last, " to ") {
			t.Errorf("%d px, network: %d links, %d steps, %d looks; %q to %q", o.Width, n.Links, n.Steps, n.Changes, n.Whole, n.Last)
		}
		if len(n.Looks) != 5 || !strings.Contains(n.Tip, "0 → 16 (port 0)") || !strings.Contains(n.Tip, "Utilisation") {
			t.Errorf("%d px, network: buttons %q, pointing shows %q", o.Width, n.Looks, n.Tip)
		}
		if !strings.Contains(n.Next, "1 → 16 (port 0)") || !n.Again {
			t.Errorf("%d px, network: the next by keys %q, and back %v", o.Width, n.Next, n.Again)
		}
		if len(o.Bad) > 0 {
			t.Errorf("%d px: not numbers: %q", o.Width, o.Bad)
		}
		for _, id := range allCharts {
			c := o.Charts[id]
			one := id == "window" // dcqcn has none
			if c.Drawn == 0 || c.Toggled == 0 && !one || c.Toggled >= c.Drawn || c.Back != c.Drawn || c.Pressed != "false" {
				t.Errorf("%d px, %s: %d curves, %d without a run, %d with it again; button %q", o.Width, id, c.Drawn, c.Toggled, c.Back, c.Pressed)
			}
			if len(c.Cut) > 0 {
				t.Errorf("%d px, %s: cut off: %q", o.Width, id, c.Cut)
			}
			if id == "utilisation" || id == "paused" {
				continue
			}
			if want := c.Drawn; id != "slowdown" && c.Dashes != want || id == "slowdown" && c.Dashes != 3 {
				t.Errorf("%d px, %s: %d dashes for %d curves", o.Width, id, c.Dashes, want)
			}
			if want := 1 + c.Drawn; len(c.Values) != want || c.Outside || !c.Left {
				t.Errorf("%d px, %s: pointing shows %q, outside %v, gone afterwards %v", o.Width, id, c.Values, c.Outside, c.Left)
			}
			if !c.Zoomed || !c.Unzoomed || !c.Keys {
				t.Errorf("%d px, %s: zoomed %v, and back %v; keys %v", o.Width, id, c.Zoomed, c.Unzoomed, c.Keys)
			}
			if !c.Narrowed || !c.Distinct {
				t.Errorf("%d px, %s: by keys narrowed %v, with labels apart %v", o.Width, id, c.Narrowed, c.Distinct)
			}
		}
	}
}

// Curves and bars of several seeds have their ranges in the picture, and curves also where one points.
func TestBrowserSeeds(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for _, cc := range []string{"hpcc", "dcqcn"} {
		for seed := range uint64(2) {
			dirs = append(dirs, sample.Seed(t, filepath.Join(dir, fmt.Sprintf("%s-%d", cc, seed)), cc, seed))
		}
	}
	for _, o := range browse(t, write(t, loadAll(t, dirs...)), 400, 1600) {
		if len(o.Errors) > 0 || len(o.Bad) > 0 || o.Wide > o.Width {
			t.Errorf("%d px: %q, not numbers %q, %d px wide: %q", o.Width, o.Errors, o.Bad, o.Wide, o.Over)
		}
		for _, id := range []string{"queue", "throughput", "fairness", "flows", "pauses"} {
			c := o.Charts[id]
			for _, v := range c.Values[min(1, len(c.Values)):] {
				if !strings.Contains(v, " – ") {
					t.Errorf("%d px, %s: pointing shows %q, without a range", o.Width, id, v)
				}
			}
			if len(c.Values) != 3 || c.Outside {
				t.Errorf("%d px, %s: pointing shows %q, outside %v", o.Width, id, c.Values, c.Outside)
			}
		}
		for _, id := range []string{"paused", "utilisation"} {
			if c := o.Charts[id]; c.Ranges != c.Drawn || c.Drawn == 0 || len(c.Cut) > 0 {
				t.Errorf("%d px, %s: %d ranges for %d bars; cut off: %q", o.Width, id, c.Ranges, c.Drawn, c.Cut)
			}
		}
	}
}
