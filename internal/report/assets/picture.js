
// The picture of the network, with what the links did in a part of the run's time.
class Picture {
  constructor(spec) {
    this.spec = spec;
    this.figure = document.getElementById('network');
    this.plot = this.figure.querySelector('.plot');
    this.run = 0;
    this.quantity = 0;
    this.step = 0; // 0: the whole run
    this.chosen = -1; // the link whose values were shown last
    this.tip = document.createElement('div');
    this.tip.className = 'tip';
    this.tip.setAttribute('role', 'status');
    this.tip.hidden = true;
    this.figure.append(this.tip);
    this.controls();
    new ResizeObserver(() => { if (this.plot.clientWidth !== this.width) this.draw(); }).observe(this.plot);
    this.draw();
  }

  controls() {
    const at = this.figure.querySelector('.controls');
    this.choice(at, 'Run', data.runs, i => { this.run = i; });
    this.choice(at, 'Colour', ['Utilisation', 'Deepest queue', 'Time waiting'], i => { this.quantity = i; });
    const label = document.createElement('label');
    label.className = 'slider';
    label.innerHTML = `<span>Time</span><input type="range" min="0" max="${this.spec.steps}" value="0" step="1"/><output></output>`;
    this.slider = label.querySelector('input');
    this.slider.disabled = !this.spec.steps;
    this.output = label.querySelector('output');
    this.slider.addEventListener('input', () => { this.step = Number(this.slider.value); this.draw(); });
    at.append(label);
  }

  // choice adds a row of buttons of which one is pressed.
  choice(at, name, options, choose) {
    if (options.length < 2) return;
    const row = document.createElement('div');
    row.className = 'legend';
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', name);
    options.forEach((option, i) => {
      const b = document.createElement('button');
      b.type = 'button';
      b.textContent = option;
      b.setAttribute('aria-pressed', String(i === 0));
      b.addEventListener('click', () => {
        for (const other of row.children) other.setAttribute('aria-pressed', String(other === b));
        choose(i);
        this.draw();
      });
      row.append(b);
    });
    at.append(row);
  }

  // value returns what a link did in the part of time that is shown.
  value(link, quantity) {
    const code = this.spec.runs[this.run].levels[quantity].charCodeAt(link * (this.spec.steps + 1) + this.step);
    const level = code === 95 ? 63 : code === 45 ? 62 : code < 58 ? code + 4 : code < 91 ? code - 65 : code - 71;
    return level / 63 * this.spec.tops[quantity];
  }

  // part tells which part of the run's time is shown.
  part() {
    const ns = this.spec.runs[this.run].ns;
    if (!this.step) return `the whole run, ${text(ns, 'ns')}`;
    const at = k => text(ns * k / this.spec.steps, 'ns');
    return `${at(this.step - 1)} to ${at(this.step)} after the first flow's start`;
  }

  draw() {
    this.width = this.plot.clientWidth;
    this.tip.hidden = true;
    if (!this.width) return;
    const { nodes, links, rows } = this.spec, { width } = this;
    const between = clamp(width / 6, 80, 150), height = between * (rows - 1) + 60;
    const x = n => 14 + n.x * (width - 28), y = n => height - 38 - n.row * between;
    const count = Array(rows).fill(0);
    for (const n of nodes) count[n.row]++;
    let out = '';
    links.forEach((l, i) => {
      const a = nodes[l.a], b = nodes[l.b], share = this.value(i, this.quantity) / this.spec.tops[this.quantity];
      const dx = x(b) - x(a), dy = y(b) - y(a), long = Math.hypot(dx, dy) || 1, ox = -dy / long * 2.2, oy = dx / long * 2.2;
      const ends = `x1="${(x(a) + ox).toFixed(1)}" y1="${(y(a) + oy).toFixed(1)}" x2="${(x(b) + ox).toFixed(1)}" y2="${(y(b) + oy).toFixed(1)}"`;
      out += `<line class="link" data-link="${i}" ${ends} stroke="var(--heat${Math.min(7, Math.ceil(share * 7))})" stroke-width="${(1.2 + 2.4 * share).toFixed(1)}"/>`;
    });
    for (const n of nodes) {
      const room = width / count[n.row], size = clamp(room / 3, 2, 7);
      out += n.host ? `<circle class="node" cx="${x(n).toFixed(1)}" cy="${y(n).toFixed(1)}" r="${size.toFixed(1)}"/>`
        : `<rect class="node switch" x="${(x(n) - size).toFixed(1)}" y="${(y(n) - size).toFixed(1)}" width="${(2 * size).toFixed(1)}" height="${(2 * size).toFixed(1)}"/>`;
      if (room < 8 * String(n.id).length + 4) continue;
      const below = n.row === 0;
      out += `<text x="${(x(n) + (below ? 0 : size + 4)).toFixed(1)}" y="${(y(n) + (below ? size + 13 : -size - 3)).toFixed(1)}" text-anchor="middle">${n.id}</text>`;
    }
    out += this.legend(height);
    const label = escape(`Network of ${nodes.length} nodes, ${this.part()}`);
    this.plot.innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" tabindex="0">${out}</svg>`;
    this.output.textContent = this.part();
    this.slider.setAttribute('aria-valuetext', this.part());
    const svg = this.plot.firstChild;
    svg.addEventListener('pointermove', e => this.point(e));
    svg.addEventListener('pointerleave', () => this.show(-1));
    svg.addEventListener('blur', () => this.show(-1));
    svg.addEventListener('keydown', e => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key], all = this.spec.links.length;
      if (!step) return;
      e.preventDefault();
      this.chosen = (this.chosen + step + all) % all;
      this.show(this.chosen);
    });
  }

  // legend shows the colours and what they stand for.
  legend(height) {
    const unit = ['share', 'B', 'share'][this.quantity], top = this.spec.tops[this.quantity];
    let out = `<text x="2" y="${height - 2}">0</text>`;
    for (let i = 0; i < 8; i++) out += `<rect x="${14 + i * 16}" y="${height - 11}" width="16" height="9" fill="var(--heat${i})"/>`;
    return `${out}<text x="${14 + 8 * 16 + 5}" y="${height - 2}">${text(top, unit)}</text>`;
  }

  // ends are the ends of a line.
  ends(line) { return ['x1', 'y1', 'x2', 'y2'].map(k => Number(line.getAttribute(k))); }

  // point shows the values of the nearest link, or nothing.
  point(e) {
    const frame = this.plot.firstChild.getBoundingClientRect();
    const at = [e.clientX - frame.left, e.clientY - frame.top].map(v => v * this.width / frame.width);
    let best = -1, least = 8;
    this.plot.querySelectorAll('.link').forEach((l, i) => {
      const [ax, ay, bx, by] = this.ends(l);
      const long = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
      const t = clamp(((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / long, 0, 1);
      const far = Math.hypot(ax + t * (bx - ax) - at[0], ay + t * (by - ay) - at[1]);
      if (far < least) { least = far; best = i; }
    });
    if (best >= 0) this.chosen = best;
    this.show(best, at);
  }

  // show shows the values of a link beside a place, or its middle; of -1 nothing.
  show(best, at) {
    const lines = this.plot.querySelectorAll('.link');
    this.plot.querySelector('.chosen')?.classList.remove('chosen');
    this.tip.hidden = best < 0;
    if (best < 0) return;
    lines[best].classList.add('chosen');
    const { nodes, links } = this.spec, l = links[best];
    const [ax, ay, bx, by] = this.ends(lines[best]);
    at ||= [(ax + bx) / 2, (ay + by) / 2];
    const rows = [['Utilisation', 0, 'share'], ['Deepest queue', 1, 'B'], ['Time waiting', 2, 'share']];
    this.tip.innerHTML = `<div><b>${nodes[l.a].id} → ${nodes[l.b].id} (port ${l.port})</b></div>`
      + rows.map(([name, q, unit]) => `<div><span>${name}</span><b>${text(this.value(best, q), unit, 2)}</b></div>`).join('');
    const left = clamp(this.plot.offsetLeft + at[0] + 12, 2, Math.max(2, this.figure.clientWidth - this.tip.offsetWidth - 2));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${this.plot.offsetTop + at[1] + 12}px`;
  }
}

if (data.picture) new Picture(data.picture);
