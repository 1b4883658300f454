// SPDX-License-Identifier: Apache-2.0

extension ReportScript {
  /// The log with its filters and keys, paper, and the notes at the end.
  static let log = #"""
    // Log
    // On a narrow screen the text has a line of its own.
    const narrow = matchMedia('(max-width: 700px)');
    let H = narrow.matches ? 44 : 22;
    narrow.addEventListener('change', () => { H = narrow.matches ? 44 : 22; filter(); });
    const list = $('list'), box = $('rows');
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
        if (only && r[6] !== only) continue;
        if (r[1] < low || (source >= 0 && r[2] !== source) || (process >= 0 && r[3] !== process)) continue;
        if (query && !(lower[i] ??= r[4].toLowerCase()).includes(query)) continue;
        shown.push(r);
      }
      chosen = keep ? shown.indexOf(keep) : -1;
      $('only').hidden = !only;
      $('only').textContent = only ? 'only: ' + (only.text.length > 40 ? only.text.slice(0, 40) + '…' : only.text) + '  ✕' : '';
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
      point();
      $('detail').hidden = !r;
      if (!r) return;
      $('meta').textContent = [iso(r[0]), names[level(r[1])], word(r[2]), word(r[3])].filter(Boolean).join('  ·  ');
      $('full').replaceChildren();
      put($('full'), r[4], query);
    }
    function select(i, isCentred) {
      if (i < 0 || i >= shown.length) return;
      chosen = i;
      const top = i * H;
      if (isCentred) list.scrollTop = top - list.clientHeight / 2;
      else if (top < list.scrollTop) list.scrollTop = top;
      else if (top + H > list.scrollTop + list.clientHeight - 4) list.scrollTop = top + H + 4 - list.clientHeight;
      list.setAttribute('aria-activedescendant', 'r' + i);
      render(); detail();
    }
    function reset() {
      $('text').value = ''; $('severity').value = 0; $('source').value = -1; $('process').value = -1;
      only = null; view = edge.slice(); draw(); filter();
    }
    const seek = (step, test) => { for (let i = chosen + step; i >= 0 && i < shown.length; i += step) if (test(shown[i])) return select(i); };
    let frame = 0;
    list.addEventListener('scroll', () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(render); });
    let timer = 0;
    $('text').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
    for (const id of ['severity', 'source', 'process']) $(id).addEventListener('change', filter);
    $('filters').addEventListener('submit', e => e.preventDefault());
    $('reset').addEventListener('click', reset);
    $('only').addEventListener('click', () => { only = null; filter(); });
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
      else if (inList && e.key === 'Enter' && chosen >= 0) $('detail').scrollIntoView({ block: 'nearest' });
      else return;
      e.preventDefault();
    });
    // Paper has no scrolling: the first thousand rows that the filters leave.
    window.addEventListener('beforeprint', () => {
      const rows = shown.slice(0, 1000);
      $('count').textContent = (rows.length < shown.length ? 'the first ' + num(rows.length) + ' of ' : '') + num(shown.length) + ' rows';
      box.replaceChildren(...rows.map((_, i) => rowAt(i)));
    });
    window.addEventListener('afterprint', filter);
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
