// SPDX-License-Identifier: Apache-2.0

/// The script of `report.html`. What comes from logs reaches the page by `textContent` only.
enum ReportScript {
  static let text = #"""

    'use strict';
    const D = JSON.parse(document.getElementById('data').textContent);
    const $ = id => document.getElementById(id);
    const el = (tag, cls, text) => {
      const e = document.createElement(tag);
      if (cls) e.className = cls;
      if (text !== undefined) e.textContent = text;
      return e;
    };
    const names = ['—', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'];
    const vars = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'];
    const level = n => n <= 0 ? 0 : Math.min(6, 1 + ((n - 1) >> 2));
    const iso = ms => { const d = new Date(ms); return isNaN(d) ? '?' : d.toISOString(); };
    const num = n => n.toLocaleString('en');
    const escapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
    const pieces = new RegExp('(<[a-z0-9-]+:\\d+>)|(' + escapes.source + ')|(\\n|\\t)', 'g');

    // Marks stand out, control characters show themselves, the rest is plain text.
    function put(target, text, query, oneLine) {
      const plain = (from, to) => {
        let part = text.slice(from, to);
        if (query) {
          const low = part.toLowerCase();
          let at = 0, hit;
          while ((hit = low.indexOf(query, at)) >= 0) {
            target.append(part.slice(at, hit), el('mark', 'hit', part.slice(hit, hit + query.length)));
            at = hit + query.length;
          }
          part = part.slice(at);
        }
        if (part) target.append(part);
      };
      let last = 0;
      for (const m of text.matchAll(pieces)) {
        if (m[3] && !oneLine) continue;
        plain(last, m.index);
        if (m[1]) target.append(el('mark', '', m[1]));
        else if (m[3]) target.append(el('span', 'esc', m[3] === '\n' ? ' ⏎ ' : '  '));
        else target.append(el('span', 'esc', '\\u' + m[2].codePointAt(0).toString(16).padStart(4, '0')));
        last = m.index + m[0].length;
      }
      plain(last, text.length);
      return target;
    }

    // Rows: [ms, severity, source, process, text, crash?]; crashes stand among them by time.
    const rows = D.rows.map(r => { r[0] += D.base; return r; });
    const crashes = D.crashes.map(c => Object.assign(c, { ms: Number(BigInt(c.time_unix_nano) / 1000000n) }));
    const why = c => [c.exception_type, c.signal, c.signal_code].filter(Boolean).join(' · ') || c.kind;
    for (const c of crashes) {
      c.row = [c.ms, 21, -1, -1, 'CRASH ' + (c.process || '') + ' ' + why(c) + (c.reason ? ': ' + c.reason : ''), c];
    }
    const all = rows.concat(crashes.map(c => c.row)).sort((a, b) => a[0] - b[0]);
    const word = i => i < 0 ? '' : D.words[i];

    // Header
    $('host').textContent = D.host || '';
    const short = t => t.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1Z');
    $('range').textContent = (D.first ? short(D.first) + ' – ' + short(D.last) : 'no records')
      + '  (asked: ' + (D.since ? short(D.since) : 'the oldest') + ' – ' + (D.until ? short(D.until) : 'the newest') + ', both included, UTC)';
    const bySeverity = new Array(7).fill(0);
    for (const r of rows) bySeverity[level(r[1])]++;
    const masked = D.redactions.reduce((a, x) => a + x[1], 0);
    const fact = (value, name, bad) => {
      const li = el('li', bad ? 'bad' : '');
      li.append(el('b', '', value), el('span', '', name));
      $('facts').append(li);
    };
    fact(num(D.records), D.shown < D.records ? 'records, newest ' + num(D.shown) + ' shown' : 'records');
    fact(num(crashes.length), 'crashes', crashes.length > 0);
    fact(num(bySeverity[5] + bySeverity[6]), 'errors', bySeverity[5] + bySeverity[6] > 0);
    fact(num(bySeverity[4]), 'warnings');
    fact(D.redacted ? num(masked) : 'no', D.redacted ? 'places redacted' : 'redaction', !D.redacted);
    if (D.problems.length) fact(num(D.problems.length), 'unreadable files', true);
    $('warning').hidden = !!D.redacted;

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
      item.append(dot, names[s] + ' ' + num(bySeverity[s]));
      $('legend').append(item);
    }
    if (crashes.length) $('legend').append(el('span', '', '▼ crash'));
    $('legend').append(el('span', '', 'drag to zoom, double-click for all'));
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
    canvas.addEventListener('dblclick', () => zoom(edge[0], edge[1]));
    canvas.addEventListener('keydown', e => {
      const span = view[1] - view[0], move = { ArrowLeft: -0.25, ArrowRight: 0.25 }[e.key];
      if (move) zoom(view[0] + move * span, view[1] + move * span);
      else if (e.key === '+') zoom(view[0] + span / 4, view[1] - span / 4);
      else if (e.key === '-') zoom(view[0] - span / 2, view[1] + span / 2);
      else return;
      e.preventDefault();
    });
    function zoom(a, b) {
      view = [Math.max(edge[0], a), Math.min(edge[1], b)];
      if (view[1] - view[0] < 1) view = edge.slice();
      draw(); filter();
    }

    // Crashes: the newest first, and no more of them than a person looks through.
    const most = 20, newest = crashes.slice().reverse(), rest = [];
    for (const c of newest) {
      const card = el('article');
      card.append(put(el('h3'), (c.process || 'unknown process') + (c.service_version ? ' ' + c.service_version : '') + (c.pid ? ' [' + c.pid + ']' : '')));
      card.append(put(el('p', 'why'), why(c) + (c.reason ? ': ' + c.reason : '')));
      card.append(put(el('p', 'sub'), [short(c.time), c.os_name && ((c.os_version || '').startsWith(c.os_name) ? c.os_version : c.os_name + ' ' + (c.os_version || '')), c.device,
        c.architecture, c.crashed_thread !== undefined && 'thread ' + c.crashed_thread + (c.crashed_thread_name ? ' ' + c.crashed_thread_name : ''),
        c.occurrences > 1 && c.occurrences + ' alike in this bundle', c.report_path, c.note].filter(Boolean).join('  ·  ')));
      const frames = Array.isArray(c.frames) ? c.frames : [];
      if (frames.length) {
        const list = el('ol', 'frames');
        list.start = 0;
        frames.slice(0, 40).forEach(f => {
          const text = f.symbol || f.address || '?', li = put(el('li', c.top_frame && f.symbol && c.top_frame.includes(f.symbol) ? 'own' : ''), text);
          const rest = [f.image, f.file && f.file + (f.line ? ':' + f.line : '')].filter(Boolean).join('  ');
          if (rest) li.append(put(el('span', 'img'), '  ' + rest));
          list.append(li);
        });
        const box = el('details');
        box.open = crashes.length <= 5;
        box.append(el('summary', '', frames.length + (frames.length === 1 ? ' frame' : ' frames') + (frames.length > 40 ? ', 40 shown' : '')), list);
        card.append(box);
      }
      const end = all.indexOf(c.row), before = all.slice(Math.max(0, end - 15), end).filter(r => !r[5]);
      if (before.length) {
        const box = el('details'), lines = el('div', 'before');
        for (const r of before) lines.append(put(el('div', 's' + level(r[1])), iso(r[0]).slice(11, 23) + '  ' + r[4], '', true));
        box.append(el('summary', '', before.length + (before.length === 1 ? ' line before' : ' lines before')), lines);
        card.append(box);
      }
      const go = el('button', '', 'Show in log');
      go.type = 'button';
      go.addEventListener('click', () => { reset(); select(shown.indexOf(c.row)); $('list').scrollIntoView({ block: 'nearest' }); });
      card.append(go);
      if (rest.length || $('crashes').querySelectorAll('article').length >= most) rest.push(card);
      else $('crashes').append(card);
      $('crashes').hidden = false;
    }
    if (rest.length) {
      const more = el('button', '', 'Show ' + num(rest.length) + ' older crashes');
      more.type = 'button';
      more.addEventListener('click', () => more.replaceWith(...rest));
      $('crashes').append(more);
    }

    // Log
    const H = 22, list = $('list'), box = $('rows');
    let shown = all, chosen = -1, query = '';
    const lower = new Array(all.length);
    for (const [id, at] of [['source', 2], ['process', 3]]) {
      [...new Set(rows.map(r => r[at]))].map(i => [word(i), i]).sort()
        .forEach(([name, i]) => { const o = el('option', '', name || '(none)'); o.value = i; $(id).append(o); });
    }
    function filter() {
      const low = Number($('severity').value), source = Number($('source').value), process = Number($('process').value);
      query = $('text').value.toLowerCase();
      const keep = shown[chosen];
      shown = [];
      const end = first(view[1]);
      for (let i = first(view[0]); i < end; i++) {
        const r = all[i];
        if (r[1] < low || (source >= 0 && r[2] !== source) || (process >= 0 && r[3] !== process)) continue;
        if (query && !(lower[i] ??= r[4].toLowerCase()).includes(query)) continue;
        shown.push(r);
      }
      chosen = keep ? shown.indexOf(keep) : -1;
      $('count').textContent = num(shown.length) + ' of ' + num(all.length);
      box.style.height = shown.length * H + 'px';
      list.scrollTop = chosen >= 0 ? Math.max(0, chosen * H - list.clientHeight / 2) : 0;
      render(); detail();
    }
    function rowAt(i) {
      const r = shown[i], e = el('div', 'row s' + level(r[1]) + (r[5] ? ' crash' : ''));
      e.style.top = i * H + 'px';
      e.id = 'r' + i;
      e.setAttribute('role', 'option');
      e.setAttribute('aria-selected', i === chosen);
      const day = edge[1] - edge[0] > 864e5;
      e.append(el('span', 't', day ? iso(r[0]).slice(5, 23).replace('T', ' ') : iso(r[0]).slice(11, 23)),
        el('span', 's', r[5] ? '▼' : names[level(r[1])]), el('span', 'p', word(r[3]) || word(r[2])),
        put(el('span', 'b'), r[4].length > 600 ? r[4].slice(0, 600) + '…' : r[4], query, true));
      e.addEventListener('click', () => select(i));
      return e;
    }
    function render() {
      const a = Math.max(0, Math.floor(list.scrollTop / H) - 10);
      const b = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / H) + 10);
      const part = document.createDocumentFragment();
      for (let i = a; i < b; i++) part.append(rowAt(i));
      if (!shown.length) part.append(el('p', 'empty', all.length ? 'No record matches. Esc resets the filters.' : 'There are no records in this range.'));
      box.replaceChildren(part);
    }
    function detail() {
      const r = shown[chosen];
      $('detail').hidden = !r;
      if (!r) return;
      $('meta').textContent = [iso(r[0]), names[level(r[1])], word(r[2]), word(r[3])].filter(Boolean).join('  ·  ');
      $('full').replaceChildren();
      put($('full'), r[4], query);
    }
    function select(i) {
      if (i < 0 || i >= shown.length) return;
      chosen = i;
      const top = i * H;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + H > list.scrollTop + list.clientHeight - 4) list.scrollTop = top + H + 4 - list.clientHeight;
      list.setAttribute('aria-activedescendant', 'r' + i);
      render(); detail();
    }
    function reset() {
      $('text').value = ''; $('severity').value = 0; $('source').value = -1; $('process').value = -1;
      view = edge.slice(); draw(); filter();
    }
    const seek = (step, test) => { for (let i = chosen + step; i >= 0 && i < shown.length; i += step) if (test(shown[i])) return select(i); };
    let frame = 0;
    list.addEventListener('scroll', () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(render); });
    let timer = 0;
    $('text').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
    for (const id of ['severity', 'source', 'process']) $(id).addEventListener('change', filter);
    $('filters').addEventListener('submit', e => e.preventDefault());
    $('reset').addEventListener('click', reset);
    document.addEventListener('keydown', e => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === 'Escape') { document.activeElement.blur(); return reset(); }
      if (/^(INPUT|SELECT)$/.test(e.target.tagName)) { if (e.key === 'Enter') list.focus(); return; }
      const inList = document.activeElement === list, page = Math.max(1, Math.floor(list.clientHeight / H) - 1);
      if (e.key === '/') $('text').focus();
      else if (e.key === 'j' || (inList && e.key === 'ArrowDown')) select(chosen + 1);
      else if (e.key === 'k' || (inList && e.key === 'ArrowUp')) select(Math.max(0, chosen - 1));
      else if (inList && e.key === 'PageDown') select(Math.min(shown.length - 1, chosen + page));
      else if (inList && e.key === 'PageUp') select(Math.max(0, chosen - page));
      else if (inList && e.key === 'Home') select(0);
      else if (inList && e.key === 'End') select(shown.length - 1);
      else if (e.key === 'e') seek(1, r => r[1] >= 17);
      else if (e.key === 'E') seek(-1, r => r[1] >= 17);
      else if (e.key === 'c') seek(1, r => r[5]);
      else if (e.key === 'C') seek(-1, r => r[5]);
      else if (inList && e.key === 'Enter' && chosen >= 0) $('full').scrollIntoView({ block: 'nearest' });
      else return;
      e.preventDefault();
    });
    // Paper has no scrolling: the first thousand rows that the filters leave.
    window.addEventListener('beforeprint', () => box.replaceChildren(...shown.slice(0, 1000).map((_, i) => rowAt(i))));
    window.addEventListener('afterprint', render);
    window.addEventListener('resize', () => { draw(); render(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

    // Notes
    function note(title, items, empty) {
      $('notes').append(el('h3', '', title));
      if (!items.length) return $('notes').append(el('p', 'sub', empty));
      const ul = el('ul');
      for (const [text, n] of items.slice(0, 200)) ul.append(put(el('li'), text + (n > 1 ? '  × ' + num(n) : '')));
      $('notes').append(ul);
    }
    note('Redacted, by rule', D.redactions, D.redacted ? 'No rule found anything.' : 'Nothing was redacted.');
    note('Left out', D.shown < D.records ? D.leftOut.concat([['older records, in logs.jsonl only', D.records - D.shown]]) : D.leftOut, 'Nothing was left out.');
    if (D.problems.length) note('Files that could not be read', D.problems, '');
    $('notes').append(el('p', 'sub', 'Made by ' + D.tool + '. Times are UTC. This page loads nothing from anywhere.'));
    draw(); filter();

    """#
}
