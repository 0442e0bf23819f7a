// Draws the charts that the page holds as data. A chart is lines or bars; a curve belongs to a
// run, which has a colour, and to a variant such as p99, which has a dash. Runs have dashes too where
// one variant is shown and there are no marks: colours alone do not tell them apart for everyone.
const data = JSON.parse(document.getElementById('data').textContent);
const dashes = ['', '8 4', '2 3', '10 3 2 3', '5 2', '14 4', '1 3', '12 3 2 3 2 3'];
const marks = [ // paths about the origin
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z', 'M-3.5 -3.5h7v7h-7z', 'M0 -4.5L4.5 3.5H-4.5z', 'M0 -5L5 0L0 5L-5 0z',
  'M0 4.5L4.5 -3.5H-4.5z', 'M-4 -4L4 4M-4 4L4 -4', 'M-5 0H5M0 -5V5', 'M-4.5 -2h9v4h-9z',
];
const colour = run => `var(--run${run})`;
const escape = s => String(s).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

// Numbers as text. Units are those of the data's axes.
const prefixes = {
  B: [['TB', 1e12], ['GB', 1e9], ['MB', 1e6], ['KB', 1e3], ['B', 1]],
  ns: [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]],
  bps: [['Tb/s', 1e12], ['Gb/s', 1e9], ['Mb/s', 1e6], ['kb/s', 1e3], ['b/s', 1]],
  count: [['G', 1e9], ['M', 1e6], ['k', 1e3], ['', 1]],
};
function text(v, unit, digits = 3) {
  const short = x => String(Number(x.toPrecision(digits)));
  if (unit === 'share') {
    // Close to 1 the digits after the nines matter; only 1 itself is 100 %.
    const decimals = v > 0.9 && v < 1 ? clamp(Math.ceil(-Math.log10(1 - v)) - 1, 1, 6) : 0;
    return `${decimals ? Number((100 * v).toFixed(decimals)) : short(100 * v)} %`;
  }
  const units = prefixes[unit];
  if (!units || v === 0) return short(v);
  const [name, size] = units.find(u => Math.abs(v) >= u[1] * 0.9995) || units[units.length - 1];
  return `${short(v / size)} ${name}`.trim();
}

// labels are the texts of ticks, with four digits or as many as tell them apart.
function labels(values, unit) {
  for (let digits = 4; ; digits++) {
    const all = values.map(v => text(v, unit, digits));
    if (digits === 12 || new Set(all).size === all.length) return all;
  }
}

// A scale maps [low, high] to [0, 1] and has ticks.
const scales = {
  linear: { map: v => v, back: v => v },
  log: { map: v => Math.log10(v), back: v => 10 ** v },
  nines: { map: v => -Math.log10(1 - v), back: v => 1 - 10 ** -v },
};
function scale(kind, low, high, count) {
  const { map, back } = scales[kind];
  const a = map(low), b = map(high);
  return {
    low, high,
    at: v => (map(v) - a) / (b - a || 1),
    back: f => back(a + f * (b - a)),
    ticks: ticks(kind, low, high, count).filter(v => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)),
  };
}
function ticks(kind, low, high, count) {
  const all = [];
  if (kind === 'nines') {
    for (let v = 1; 1 - v <= high + 1e-12; v /= 10) all.push(1 - v);
    return high < 0.9 ? ticks('linear', low, high, count) : all;
  }
  if (kind === 'log' && high / low >= 5) {
    const decades = Math.log10(high / low);
    const steps = decades > 3 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5];
    const skip = Math.max(1, Math.ceil(decades / count));
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) {
      if (e % skip === 0) all.push(...steps.map(s => Number(`${s}e${e}`)));
    }
    return all;
  }
  const raw = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(s => s * power >= raw * 0.999);
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) all.push(Number((i * step).toPrecision(12)));
  return all;
}

// The range of an axis over the curves that are shown.
function range(axis, values) {
  let low = axis.from ?? Infinity, high = axis.to ?? -Infinity;
  for (const v of values) {
    if (v === null || axis.scale === 'log' && v <= 0) continue; // has no place on it
    if (axis.from === undefined) low = Math.min(low, v);
    if (axis.to === undefined) high = Math.max(high, v);
  }
  if (axis.scale === 'nines') {
    let most = 0;
    for (const v of values) if (v < 1) most = Math.max(most, v);
    return [low, 1 - 10 ** -clamp(Math.ceil(-Math.log10(1 - most)), 2, 5)];
  }
  if (!(low <= high)) return axis.scale === 'log' ? [1, 10] : [0, 1];
  if (axis.unit === 'ratio') low = Math.min(low, 1);
  if (axis.scale === 'log') return low === high ? [low / 2, high * 2] : [low, high];
  if (low === high) return low ? [low - Math.abs(low) / 2, high + Math.abs(high) / 2] : [0, 1];
  if (axis.to === undefined) high += (high - low) * 0.05;
  return [low, high];
}

class Chart {
  constructor(spec) {
    this.spec = spec;
    spec.x.scale ||= 'linear';
    spec.y.scale ||= 'linear';
    this.figure = document.getElementById(spec.id);
    this.plot = this.figure.querySelector('.plot');
    this.hiddenRuns = new Set();
    this.hiddenVariants = new Set(spec.hidden);
    this.zoom = null;
    this.entries = []; // functions that show the entries of the legend
    this.tip = document.createElement('div');
    this.tip.className = 'tip';
    this.tip.setAttribute('role', 'status');
    this.tip.hidden = true;
    this.figure.append(this.tip);
    this.legend();
    new ResizeObserver(() => {
      if (this.plot.clientWidth !== this.width) this.draw();
    }).observe(this.plot);
    this.draw();
  }

  get shown() {
    return this.spec.series.filter(s => !this.hiddenRuns.has(s.name) && !this.hiddenVariants.has(s.variant));
  }

  // one reports whether the curves are all of one variant.
  get one() { return (this.spec.variants || []).length - this.hiddenVariants.size < 2; }

  style(s) { return dashes[(this.one && !(this.spec.marks && this.spec.variants) ? s.name : s.variant) % dashes.length]; }

  mark(run, x, y) {
    return `<path d="${marks[run % marks.length]}" transform="translate(${x} ${y})" fill="var(--back)" stroke="${colour(run)}" stroke-width="1.8"/>`;
  }

  swatch(s) {
    if (this.spec.kind === 'bar') return `<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${colour(s.name)}"/></svg>`;
    const line = `<path class="curve" d="M0 7H28" stroke="${colour(s.name)}" stroke-dasharray="${this.style(s)}"/>`;
    return `<svg width="28" height="14" aria-hidden="true">${line}${this.spec.marks ? this.mark(s.name, 14, 7) : ''}</svg>`;
  }

  legend() {
    const at = this.figure.querySelector('.legend');
    const button = (picture, name, hidden, key) => { // the picture may change
      const b = document.createElement('button');
      b.type = 'button';
      const show = () => {
        b.innerHTML = `${picture()}<span>${escape(name)}</span>`;
        b.setAttribute('aria-pressed', String(!hidden.has(key)));
      };
      b.addEventListener('click', () => {
        if (!hidden.delete(key)) hidden.add(key);
        this.draw();
      });
      this.entries.push(show);
      at.append(b);
    };
    const runs = [...new Set(this.spec.series.map(s => s.name))];
    for (const run of runs) button(() => this.swatch({ name: run, variant: 0 }), this.spec.names[run], this.hiddenRuns, run);
    (this.spec.variants || []).forEach((name, i) => {
      const line = `<svg width="28" height="14" aria-hidden="true"><path class="curve" d="M0 7H28" stroke="var(--text)" stroke-dasharray="${dashes[i]}"/></svg>`;
      button(() => (this.one && !this.spec.marks && !this.hiddenVariants.has(i) ? '' : line), name, this.hiddenVariants, i);
    });
  }

  draw() {
    this.width = this.plot.clientWidth;
    this.tip.hidden = true;
    for (const show of this.entries) show();
    if (!this.width) return;
    if (this.spec.kind === 'bar') this.drawBars(); else this.drawLines();
  }

  // svg replaces the picture.
  svg(height, inside) {
    const focus = this.spec.kind === 'line' ? ' tabindex="0"' : '';
    const shown = [...new Set(this.shown.map(s => this.spec.names[s.name]))].join(', ');
    const label = escape(`${this.spec.title}: ${shown || 'nothing shown'}`);
    const had = this.plot.contains(document.activeElement);
    this.plot.innerHTML = `<svg viewBox="0 0 ${this.width} ${height}" role="img" aria-label="${label}"${focus}>${inside}</svg>`;
    if (had) this.plot.firstChild.focus();
    return this.plot.firstChild;
  }

  drawLines() {
    const { spec, width } = this, shown = this.shown;
    const height = clamp(Math.round(width * 0.55), 250, 360);
    const [x0, x1] = this.zoom || range(spec.x, shown.flatMap(s => s.x));
    const within = s => (_, i) => s.x[i] >= x0 && s.x[i] <= x1;
    const values = s => [s.y, s.low || [], s.high || []];
    const seen = shown.flatMap(s => values(s).flatMap(list => list.filter(within(s))));
    const x = scale(spec.x.scale, x0, x1, width < 480 ? 4 : 7);
    const y = scale(spec.y.scale, ...range(spec.y, seen.length ? seen : shown.flatMap(s => values(s).flat())), 5);
    if (y.low === 1 && spec.y.scale === 'linear') y.ticks = [1, ...y.ticks.filter(v => y.at(v) > 0.08)]; // where slowdown begins
    const widest = Math.max(...labels(y.ticks, spec.y.unit).map(name => name.length));
    const box = { left: 32 + 7 * widest, right: width - 18, top: 10, bottom: height - 46 };
    const px = v => box.left + x.at(v) * (box.right - box.left);
    const py = v => box.bottom - clamp(y.at(v), -1, 1) * (box.bottom - box.top);
    this.frame = { box, x, y, px, py };
    let out = `<clipPath id="clip-${spec.id}"><rect x="${box.left - 6}" y="${box.top - 6}" width="${box.right - box.left + 12}" height="${box.bottom - box.top + 12}"/></clipPath>`;
    out += this.axes(box, x, y, px, py, height);
    out += `<g clip-path="url(#clip-${spec.id})">`;
    const dense = shown.some(s => s.x.length > 200) ? ' dense' : '';
    for (const s of shown.filter(s => s.low)) {
      out += spec.marks
        ? `<path d="${this.whiskers(s, px, py)}" fill="none" stroke="${colour(s.name)}"/>`
        : `<path d="${this.band(s, px, py)}" fill="${colour(s.name)}" fill-opacity=".18"/>`;
    }
    for (const s of shown) {
      out += `<path class="curve${dense}" d="${this.path(s, px, py, box)}" stroke="${colour(s.name)}" stroke-dasharray="${this.style(s)}"/>`;
      const lone = s.x.length === 1 && !spec.steps; // has no line
      if (spec.marks || lone) s.x.forEach((v, i) => { out += this.mark(s.name, px(v).toFixed(1), py(s.y[i]).toFixed(1)); });
    }
    out += '</g><rect class="range" y="10" width="0" height="0"/><line class="guide" visibility="hidden"/>';
    this.listen(this.svg(height, out));
  }

  // whiskers is a bar with caps for the range of every mark that has one.
  whiskers(s, px, py) {
    return s.x.map((v, i) => {
      if (s.low[i] === null) return '';
      const x = px(v), low = py(s.low[i]).toFixed(1), high = py(s.high[i]).toFixed(1);
      return `M${x.toFixed(1)} ${low}V${high}M${(x - 3).toFixed(1)} ${low}h6M${(x - 3).toFixed(1)} ${high}h6`;
    }).join('');
  }

  // band is the outline of the space between the extremes of a curve.
  band(s, px, py) {
    const corner = (i, v) => `${px(s.x[i]).toFixed(1)} ${py(v).toFixed(1)}`;
    const at = list => list.flatMap((v, i) => [...(this.spec.steps && i ? [corner(i, list[i - 1])] : []), corner(i, v)]);
    return `M${at(s.high).join('L')}L${at(s.low).reverse().join('L')}Z`;
  }

  path(s, px, py, box) {
    let d = '';
    s.x.forEach((v, i) => {
      const a = px(v).toFixed(1), b = py(s.y[i]).toFixed(1);
      if (!this.spec.steps) d += `${i ? 'L' : 'M'}${a} ${b}`;
      else d += i ? `H${a}V${b}` : `M${a} ${box.bottom}V${b}`;
    });
    return this.spec.steps && s.y[s.y.length - 1] > 0 ? `${d}H${box.right}` : d;
  }

  axes(box, x, y, px, py, height) {
    const { spec } = this;
    let out = '', end = -Infinity;
    const rows = labels(y.ticks, spec.y.unit), columns = labels(x.ticks, spec.x.unit);
    for (const [i, v] of y.ticks.entries()) {
      const at = py(v).toFixed(1);
      out += `<line class="grid" x1="${box.left}" x2="${box.right}" y1="${at}" y2="${at}"/>`;
      out += `<text x="${box.left - 7}" y="${at}" dy=".35em" text-anchor="end">${rows[i]}</text>`;
    }
    for (const [i, v] of x.ticks.entries()) {
      const at = px(v), name = columns[i], half = name.length * 3.5;
      out += `<line class="grid" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${box.top}" y2="${box.bottom}"/>`;
      if (at - half < end || at + half > this.width) continue;
      out += `<text x="${at.toFixed(1)}" y="${box.bottom + 17}" text-anchor="middle">${name}</text>`;
      end = at + half + 6;
    }
    out += `<path class="axis" fill="none" d="M${box.left} ${box.top}V${box.bottom}H${box.right}"/>`;
    out += `<text class="strong" x="${(box.left + box.right) / 2}" y="${height - 8}" text-anchor="middle">${escape(spec.x.label)}</text>`;
    const middle = (box.top + box.bottom) / 2;
    return `${out}<text class="strong" transform="translate(13 ${middle}) rotate(-90)" text-anchor="middle">${escape(spec.y.label)}</text>`;
  }

  drawBars() {
    const { spec, width } = this, shown = this.shown;
    const bar = 11, gap = 2, head = 19, foot = 10, left = 2, right = width - 70;
    const high = spec.x.to ?? (Math.max(...shown.flatMap(s => s.high || s.y), 0) || 1);
    const px = v => left + Math.min(v / high, 1) * (right - left);
    const each = head + shown.length * (bar + gap) + foot;
    let out = '';
    spec.labels.forEach((label, i) => {
      const top = i * each;
      out += `<text class="strong" x="${left}" y="${top + 14}">${escape(label)}</text>`;
      shown.forEach((s, k) => {
        const y = top + head + k * (bar + gap), w = s.y[i] > 0 ? Math.max(s.y[i] / high * (right - left), 1) : 0;
        out += `<rect x="${left}" y="${y}" width="${w.toFixed(1)}" height="${bar}" fill="${colour(s.name)}"><title>${escape(this.spec.names[s.name])}</title></rect>`;
        let end = left + w;
        if (s.low) {
          const middle = y + bar / 2, ends = [s.low[i], s.high[i]].map(v => px(v).toFixed(1));
          out += `<path d="M${ends[0]} ${middle}H${ends[1]}${ends.map(at => `M${at} ${middle - 3}v6`).join('')}" fill="none" stroke="var(--text)"/>`;
          end = Math.max(end, px(s.high[i]));
        }
        out += `<text x="${(end + 5).toFixed(1)}" y="${y + bar / 2}" dy=".35em">${text(s.y[i], spec.x.unit)}</text>`;
      });
    });
    this.svg(Math.max(spec.labels.length * each, 1), out);
  }

  // listen makes a line chart answer to pointer and keys.
  listen(svg) {
    const { box } = this.frame;
    const where = e => clamp((e.clientX - svg.getBoundingClientRect().left) * this.width / svg.getBoundingClientRect().width, box.left, box.right);
    const share = at => (at - box.left) / (box.right - box.left);
    let from = null, cursor = 0.5;
    svg.addEventListener('pointerdown', e => { if (e.button === 0) from = where(e); });
    svg.addEventListener('pointermove', e => {
      this.point(svg, where(e));
      const mark = svg.querySelector('.range');
      mark.setAttribute('x', from === null ? 0 : Math.min(from, where(e)));
      mark.setAttribute('width', from === null ? 0 : Math.abs(where(e) - from));
      mark.setAttribute('height', box.bottom - box.top);
    });
    svg.addEventListener('pointerup', e => {
      const ends = from === null ? [0, 0] : [from, where(e)].sort((a, b) => a - b);
      from = null;
      if (ends[1] - ends[0] >= 8) this.narrow(share(ends[0]), share(ends[1]));
    });
    const leave = () => { from = null; this.point(svg, null); };
    svg.addEventListener('pointerleave', leave);
    svg.addEventListener('pointercancel', leave);
    svg.addEventListener('blur', leave);
    svg.addEventListener('dblclick', () => { this.zoom = null; this.draw(); });
    svg.addEventListener('keydown', e => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[e.key];
      if (e.key === 'Escape') { this.zoom = null; this.draw(); }
      if (e.key === '+') this.narrow(Math.max(cursor - 0.25, 0), Math.min(cursor + 0.25, 1));
      if (!step) return;
      e.preventDefault();
      cursor = clamp(cursor + step, 0, 1);
      this.point(svg, box.left + cursor * (box.right - box.left));
    });
  }

  // narrow zooms to a part of the x axis, between two shares of it, as far as numbers tell places apart.
  narrow(from, to) {
    const [a, b] = [from, to].map(this.frame.x.back);
    if (b - a <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))) return;
    this.zoom = [a, b];
    this.draw();
  }

  // point shows the values at a place of the x axis, or nothing.
  point(svg, at) {
    const guide = svg.querySelector('.guide');
    const { box, x, px } = this.frame;
    const shown = this.shown;
    this.tip.hidden = at === null || !shown.length;
    guide.setAttribute('visibility', this.tip.hidden ? 'hidden' : 'visible');
    if (this.tip.hidden) return;
    let v = x.back((at - box.left) / (box.right - box.left));
    const nearest = s => s.x.reduce((best, w, i) => (Math.abs(px(w) - at) < Math.abs(px(s.x[best]) - at) ? i : best), 0);
    if (!this.spec.steps) {
      const all = shown.map(s => s.x[nearest(s)]);
      v = all.reduce((a, b) => (Math.abs(px(b) - at) < Math.abs(px(a) - at) ? b : a));
      at = px(v);
    }
    for (const [key, value] of Object.entries({ x1: at, x2: at, y1: box.top, y2: box.bottom })) guide.setAttribute(key, value);
    const unit = this.spec.y.unit;
    const value = s => {
      const i = this.spec.steps ? s.x.findLastIndex(w => w <= v) : nearest(s);
      const range = s.low && (s.low[i] ?? null) !== null ? ` (${text(s.low[i], unit)} – ${text(s.high[i], unit)})` : '';
      return text(s.y[i] ?? 0, unit) + range;
    };
    const rows = shown.map(s => {
      const name = this.spec.names[s.name] + (this.spec.variants ? ` ${this.spec.variants[s.variant]}` : '');
      return `<div>${this.swatch(s)}<span>${escape(name)}</span><b>${value(s)}</b></div>`;
    });
    this.tip.innerHTML = `<div><b>${escape(this.spec.x.label)}: ${text(v, this.spec.x.unit)}</b></div>${rows.join('')}`;
    this.place(at);
  }

  // place puts the values beside the guide, inside the figure.
  place(at) {
    const offset = this.plot.offsetLeft, wide = this.tip.offsetWidth;
    const left = at > this.width / 2 ? offset + at - wide - 12 : offset + at + 12;
    this.tip.style.left = `${clamp(left, 2, Math.max(2, this.figure.clientWidth - wide - 2))}px`;
    this.tip.style.top = `${this.plot.offsetTop + 14}px`;
  }
}

for (const spec of data.charts) new Chart(spec);
