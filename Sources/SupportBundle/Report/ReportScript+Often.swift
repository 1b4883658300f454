// SPDX-License-Identifier: Apache-2.0

extension ReportScript {
  /// What was said most, of errors, else of warnings.
  static let often = #"""
    // What was said most, of errors, else of warnings: lines that differ in numbers only are one.
    const groups = new Map();
    {
      const low = errors ? 17 : 13;
      const shape = text => text.slice(0, 200).split('\n', 1)[0].replace(/<([a-z0-9-]+):\d+>/g, '<$1>')
        .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8}[0-9a-f-]{4,}\b|\d+/gi, '#');
      for (const r of rows) {
        if (r[1] < low) continue;
        const key = word(r[2]) + '\n' + shape(r[4]);
        let group = groups.get(key);
        if (!group) groups.set(key, group = { text: r[4].split('\n', 1)[0].slice(0, 300), source: word(r[2]), severity: r[1], first: r[0], count: 0 });
        group.count++;
        group.last = r[0];
        group.severity = Math.max(group.severity, r[1]);
        r[6] = group;
      }
      const top = [...groups.values()].sort((a, b) => b.count - a.count || b.last - a.last), most = 8;
      $('often').hidden = !top.length;
      $('oftenTitle').textContent = errors ? 'Errors, the most frequent first' : 'Warnings, the most frequent first';
      const line = group => {
        const b = button('', () => { reset(); only = group; filter(); $('log').scrollIntoView({ block: 'start' }); });
        b.className = 'group s' + level(group.severity);
        const span = edge[1] - edge[0], when = [...new Set([group.first, group.last].map(ms => clock(ms, Math.max(span, 6e4))))].join(' – ');
        b.append(el('span', 'n', num(group.count)), el('span', 't', when), el('span', 'p', group.source), put(el('span', 'b'), group.text, '', true));
        return b;
      };
      $('often').append(...top.slice(0, most).map(line));
      if (top.length > most) {
        const more = button('Show ' + num(Math.min(top.length, 100) - most) + ' more', () => more.replaceWith(...top.slice(most, 100).map(line)));
        $('often').append(more);
      }
    }

    """#
}
