// SPDX-License-Identifier: Apache-2.0

extension ReportScript {
  /// A card for each crash.
  static let crashes = #"""
    // Crashes: the newest first, and no more of them than a person looks through.
    function frameLine(c, f) {
      const li = put(el('li', c.top_frame && f.symbol && c.top_frame.includes(f.symbol) ? 'own' : ''), f.symbol || f.address || '?');
      const file = f.file && !f.file.endsWith('<compiler-generated>') ? f.file : '';
      const rest = [f.image, file && file + (f.line ? ':' + f.line : '')].filter(Boolean).join('  ');
      if (rest) li.append(put(el('span', 'img'), '  ' + rest));
      return li;
    }
    function stack(c) {
      const frames = (Array.isArray(c.frames) ? c.frames : []).map(f => frameLine(c, f));
      if (!frames.length) return null;
      const own = frames.findIndex(li => li.className === 'own');
      const box = el('div'), list = el('ol', 'frames'), most = Math.min(40, Math.max(12, own + 3));
      list.start = 0;
      list.append(...frames.slice(0, most));
      box.append(el('h4', '', frames.length === 1 ? '1 frame' : num(frames.length) + ' frames'), list);
      if (frames.length > most) {
        const more = button('Show ' + num(frames.length - most) + ' more', () => { list.append(...frames.slice(most)); more.remove(); });
        box.append(more);
      }
      return box;
    }
    function linesBefore(c) {
      const end = all.indexOf(c.row), before = all.slice(Math.max(0, end - 15), end).filter(r => !r[5]);
      if (!before.length) return null;
      const box = el('div'), lines = el('div', 'before');
      for (const r of before) {
        const line = el('div', 's' + level(r[1]));
        line.append(el('span', 't', iso(r[0]).slice(11, 23)), el('span', 'p', word(r[3]) || word(r[2])), put(el('span', 'b'), r[4].length > 300 ? r[4].slice(0, 300) + '…' : r[4], '', true));
        lines.append(line);
      }
      box.append(el('h4', '', before.length === 1 ? 'The line before' : 'The ' + before.length + ' lines before'), lines);
      return box;
    }
    function card(c) {
      const card = el('article');
      card.append(put(el('h3'), (c.process || 'unknown process') + (c.service_version ? ' ' + c.service_version : '') + (c.pid ? ' [' + c.pid + ']' : '')));
      card.append(put(el('p', 'why'), why(c) + (c.reason ? ': ' + c.reason : '')));
      card.append(put(el('p', 'sub'), [short(c.time), c.os_name && ((c.os_version || '').startsWith(c.os_name) ? c.os_version : c.os_name + ' ' + (c.os_version || '')), c.device,
        c.architecture, c.crashed_thread !== undefined && 'thread ' + c.crashed_thread + (c.crashed_thread_name ? ' ' + c.crashed_thread_name : ''),
        c.occurrences > 1 && c.occurrences + ' alike in this bundle', c.report_path, c.note].filter(Boolean).join('  ·  ')));
      const parts = [stack(c), linesBefore(c)].filter(Boolean), box = el('div', 'parts');
      box.append(...parts);
      if (parts.length) {
        const details = el('details');
        details.open = crashes.length <= 3;
        details.append(el('summary', '', 'Stack, and what was logged before'), box);
        card.append(details);
      }
      card.append(button('Show in log', () => {
        reset();
        select(shown.indexOf(c.row), true);
        $('log').scrollIntoView({ block: 'start' });
        list.focus({ preventScroll: true });
      }));
      return card;
    }
    {
      const newest = crashes.slice().reverse(), most = 20;
      $('crashes').hidden = !newest.length;
      for (const c of newest.slice(0, most)) $('crashes').append(card(c));
      if (newest.length > most) {
        const more = button('Show ' + num(newest.length - most) + ' older crashes', () => more.replaceWith(...newest.slice(most).map(card)));
        $('crashes').append(more);
      }
    }

    """#
}
