// SPDX-License-Identifier: Apache-2.0

/// The script of `report.html`. What comes from logs reaches the page by `textContent` only.
enum ReportScript {
  /// All of it, in the order in which it runs.
  static let text = basics + timeline + crashes + often + log

  /// What the rest uses, and the head of the page.
  private static let basics = #"""

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

    // Rows: [ms, severity, source, process, text, crash?, group?]; crashes stand among them by time.
    const rows = D.rows.map(r => { r[0] += D.base; return r; });
    const crashes = D.crashes.map(c => Object.assign(c, { ms: Number(BigInt(c.time_unix_nano) / 1000000n) }));
    const why = c => [c.exception_type, c.signal, c.signal_code].filter(Boolean).join(' · ') || c.kind;
    for (const c of crashes) {
      c.row = [c.ms, 21, -1, -1, 'CRASH ' + (c.process || '') + ' ' + why(c) + (c.reason ? ': ' + c.reason : ''), c];
    }
    const all = rows.concat(crashes.map(c => c.row)).sort((a, b) => a[0] - b[0]);
    const word = i => i < 0 ? '' : D.words[i];
    const button = (text, action) => {
      const b = el('button', '', text);
      b.type = 'button';
      b.addEventListener('click', action);
      return b;
    };

    // Header
    const short = t => t.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1Z');
    const length = ms => {
      for (const [unit, name] of [[864e5, 'd'], [36e5, 'h'], [6e4, 'min'], [1e3, 's']]) {
        if (ms >= unit) return (ms / unit).toFixed(ms / unit < 10 ? 1 : 0).replace('.0', '') + ' ' + name;
      }
      return Math.round(ms) + ' ms';
    };
    $('host').textContent = D.host || '';
    $('range').append(el('b', '', D.first ? short(D.first) + ' – ' + short(D.last) : 'no records'),
      (D.first ? '  ·  ' + length(Date.parse(D.last) - Date.parse(D.first)) : '')
      + '  ·  asked for ' + (D.since ? short(D.since) : 'the oldest') + ' – ' + (D.until ? short(D.until) : 'the newest') + ', both included, UTC');
    const bySeverity = new Array(7).fill(0);
    for (const r of rows) bySeverity[level(r[1])]++;
    const errors = bySeverity[5] + bySeverity[6];
    const masked = D.redactions.reduce((a, x) => a + x[1], 0);
    const fact = (value, name, bad) => {
      const li = el('li', bad ? 'bad' : '');
      li.append(el('b', '', value), el('span', '', name));
      $('facts').append(li);
    };
    fact(num(D.records), D.shown < D.records ? 'records, newest ' + num(D.shown) + ' shown' : D.records === 1 ? 'record' : 'records');
    fact(num(crashes.length), crashes.length === 1 ? 'crash' : 'crashes', crashes.length > 0);
    fact(num(errors), errors === 1 ? 'error' : 'errors', errors > 0);
    fact(num(bySeverity[4]), bySeverity[4] === 1 ? 'warning' : 'warnings');
    fact(D.redacted ? num(masked) : 'no', D.redacted ? 'places redacted' : 'redaction', !D.redacted);
    if (D.problems.length) fact(num(D.problems.length), 'unreadable files', true);
    $('warning').hidden = !!D.redacted;
    document.body.classList.toggle('none', !all.length);

    """#
}
