// SPDX-License-Identifier: Apache-2.0

extension ReportScript {
  /// The histogram, and zooming into it.
  static let timeline = #"""
    // What the log shows: the rows that the filters leave, the chosen one, the words that are looked
    // for, and the group of errors that is looked at.
    let shown = all, chosen = -1, query = '', only = null;

    // Timeline
    const canvas = $('chart');
    const edge = all.length ? [all[0][0], all[all.length - 1][0] + 1] : [0, 1];
    let view = edge.slice();
    const css = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    const first = ms => { let a = 0, b = all.length; while (a < b) { const m = (a + b) >> 1; if (all[m][0] < ms) a = m + 1; else b = m; } return a; };
    const clock = (ms, span) => span < 6e4 ? iso(ms).slice(11, 23) : span < 1728e5 ? iso(ms).slice(11, 19) : iso(ms).slice(0, 16).replace('T', ' ');
    function draw() {
      const w = canvas.clientWidth, h = canvas.clientHeight, dpr = window.devicePixelRatio || 1;
      canvas.width = w * dpr; canvas.height = h * dpr;
      const g = canvas.getContext('2d');
      g.scale(dpr, dpr);
      const n = Math.max(20, Math.min(240, Math.floor(w / 5))), span = view[1] - view[0];
      const bins = Array.from({ length: n }, () => new Array(7).fill(0));
      for (let i = first(view[0]); i < all.length && all[i][0] < view[1]; i++) {
        if (!all[i][5]) bins[Math.min(n - 1, Math.floor((all[i][0] - view[0]) / span * n))][level(all[i][1])]++;
      }
      const most = Math.max(1, ...bins.map(b => b.reduce((x, y) => x + y)));
      const base = h - 18, bw = w / n;
      g.font = '11px system-ui, sans-serif';
      g.fillStyle = css('dim');
      g.strokeStyle = css('line');
      for (let k = 0; k <= 4; k++) {
        const x = Math.round(k / 4 * (w - 1)) + 0.5;
        g.beginPath(); g.moveTo(x, 0); g.lineTo(x, base); g.stroke();
        g.textAlign = k === 0 ? 'left' : k === 4 ? 'right' : 'center';
        if (all.length && (w > 640 || k % 2 === 0)) g.fillText(clock(view[0] + span * k / 4, span), x, h - 4);
      }
      const colors = vars.map(css);
      bins.forEach((bin, i) => {
        let y = base;
        // The grave ones stand at the bottom, where they are seen; a pixel at least.
        for (let s = 6; s >= 0; s--) {
          if (!bin[s]) continue;
          const height = Math.max(1.5, bin[s] / most * (base - 12));
          g.fillStyle = colors[s];
          g.fillRect(i * bw + 0.5, y - height, Math.max(1, bw - 1), height);
          y -= height;
        }
      });
      for (const c of crashes) {
        if (c.ms < view[0] || c.ms >= view[1]) continue;
        const x = (c.ms - view[0]) / span * w;
        g.strokeStyle = g.fillStyle = colors[6];
        g.lineWidth = 1.5;
        g.beginPath(); g.moveTo(x, 8); g.lineTo(x, base); g.stroke();
        g.beginPath(); g.moveTo(x - 5, 0); g.lineTo(x + 5, 0); g.lineTo(x, 9); g.fill();
      }
      const isWhole = view[0] === edge[0] && view[1] === edge[1];
      $('zoomed').textContent = isWhole ? 'drag, or + − ← →, to zoom'
        : clock(view[0], span) + ' – ' + clock(view[1], span) + ', ' + length(span) + '; double-click for all';
      g.fillStyle = css('dim'); g.textAlign = 'right';
      if (all.length) {
        // On a ground of its own: crashes stand here, too.
        const text = 'max ' + num(most), wide = g.measureText(text).width;
        g.fillStyle = css('card'); g.fillRect(w - wide - 10, 11, wide + 8, 14);
        g.fillStyle = css('dim'); g.fillText(text, w - 6, 22);
      }
    }
    for (let s = 6; s >= 0; s--) {
      if (!bySeverity[s]) continue;
      const item = el('span'), dot = el('span', 'dot');
      dot.style.background = 'var(--' + vars[s] + ')';
      item.append(dot, (s ? names[s] : 'no severity') + ' ' + num(bySeverity[s]));
      $('legend').append(item);
    }
    if (crashes.length) $('legend').append(el('span', '', '▼ crash'));
    const zoomed = el('span');
    zoomed.id = 'zoomed';
    $('legend').append(zoomed);
    let from = null;
    const place = e => Math.max(0, Math.min(1, (e.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth));
    canvas.addEventListener('pointerdown', e => { from = place(e); canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener('pointermove', e => {
      if (from === null) return;
      const to = place(e), b = $('brush');
      b.hidden = false;
      b.style.left = Math.min(from, to) * 100 + '%';
      b.style.width = Math.abs(to - from) * 100 + '%';
    });
    canvas.addEventListener('pointerup', e => {
      if (from === null) return;
      const to = place(e), a = Math.min(from, to), b = Math.max(from, to), span = view[1] - view[0];
      from = null;
      $('brush').hidden = true;
      if (b - a > 0.004) zoom(view[0] + a * span, view[0] + b * span);
    });
    canvas.addEventListener('pointercancel', () => { from = null; $('brush').hidden = true; });
    canvas.addEventListener('dblclick', () => zoom(edge[0], edge[1]));
    canvas.addEventListener('keydown', e => {
      const span = view[1] - view[0], move = { ArrowLeft: -0.25, ArrowRight: 0.25 }[e.key];
      if (move) {
        // Up to the edge, and no narrower.
        const by = Math.max(edge[0] - view[0], Math.min(edge[1] - view[1], move * span));
        zoom(view[0] + by, view[1] + by);
      }
      else if (e.key === '+') zoom(view[0] + span / 4, view[1] - span / 4);
      else if (e.key === '-') zoom(view[0] - span / 2, view[1] + span / 2);
      else return;
      e.preventDefault();
    });
    function point() {
      const row = shown[chosen], at = row ? (row[0] - view[0]) / (view[1] - view[0]) : -1;
      $('cursor').hidden = !(at >= 0 && at <= 1);
      $('cursor').style.left = at * 100 + '%';
    }
    function zoom(a, b) {
      view = [Math.max(edge[0], a), Math.min(edge[1], b)];
      if (view[1] - view[0] < 1) view = edge.slice();
      draw(); filter();
    }

    """#
}
