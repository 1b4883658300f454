// SPDX-License-Identifier: Apache-2.0

/// The style of `report.html`.
enum ReportStyle {
  static let text = #"""
    :root { color-scheme: light dark; --back: #f6f7f9; --card: #ffffff; --text: #1b2430;
      --dim: #5d6b7c; --line: #dde2e8; --accent: #1f5fbf; --mark: #fff0b8; --markText: #5a4300;
      --trace: #b9c3cf; --debug: #93a4b8; --info: #4f8fd9; --warn: #e2a33a; --error: #d9534f;
      --fatal: #8e1f3b; --none: #c9cfd6; --select: #dfeafb;
      --warnText: #8a5200; --errorText: #b3261e; --fatalText: #8e1f3b; }
    @media screen and (prefers-color-scheme: dark) { :root { --back: #12161c; --card: #1a2029;
      --text: #dfe6ee; --dim: #93a1b1; --line: #2b3440; --accent: #7db0ff; --mark: #4a3c10;
      --markText: #ffdf8a; --trace: #4b5765; --debug: #63758a; --info: #4f8fd9; --warn: #d9a03f;
      --error: #e0625e; --fatal: #ff5c8a; --none: #3c4653; --select: #24344b;
      --warnText: #e0ab52; --errorText: #ff8a85; --fatalText: #ff7aa0; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--text);
      font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
    header, main { max-width: 1400px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 24px; }
    h1 { font-size: 22px; font-weight: 650; margin: 0; letter-spacing: -0.01em; }
    h1 span { color: var(--dim); font-weight: 450; }
    h2 { font-size: 15px; font-weight: 650; margin: 0 0 10px; }
    #range { margin: 2px 0 10px; color: var(--dim); font-variant-numeric: tabular-nums; }
    #range b { color: var(--text); font-weight: 500; }
    #facts { list-style: none; display: flex; flex-wrap: wrap; gap: 8px; padding: 0; margin: 0 0 16px; }
    #facts li { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      padding: 6px 12px; }
    #facts b { display: block; font-size: 17px; font-variant-numeric: tabular-nums; }
    #facts span { color: var(--dim); font-size: 12px; }
    #facts li.bad b { color: var(--errorText); }
    #warning { background: #b3261e; color: #fff; padding: 8px 12px; border-radius: 8px;
      font-weight: 600; }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
      padding: 16px; margin: 0 0 16px; }
    #plot { position: relative; height: 150px; }
    #chart { width: 100%; height: 150px; display: block; cursor: crosshair;
      touch-action: pan-y; }
    #brush { position: absolute; top: 0; bottom: 18px; background: var(--accent); opacity: 0.18;
      pointer-events: none; }
    #cursor { position: absolute; top: 0; bottom: 18px; width: 1px; background: var(--text);
      pointer-events: none; }
    #legend { margin: 8px 0 0; color: var(--dim); font-size: 12px; display: flex; flex-wrap: wrap;
      gap: 14px; align-items: center; }
    .dot { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 5px; }
    article { border: 1px solid var(--line); border-left: 4px solid var(--fatal); border-radius: 8px;
      padding: 12px 14px; margin: 0 0 10px; }
    article:last-child { margin: 0; }
    article > button { margin-top: 8px; }
    article h3 { margin: 0; font-size: 15px; }
    article .why { margin: 2px 0 6px; font-family: ui-monospace, "DejaVu Sans Mono", monospace;
      font-size: 13px; overflow-wrap: anywhere; }
    article .sub { color: var(--dim); font-size: 12px; margin: 0 0 8px; overflow-wrap: anywhere; }
    article h4, #notes h3 { font-size: 12px; font-weight: 600; color: var(--dim); margin: 8px 0 4px; }
    details { margin: 4px 0 0; }
    summary { cursor: pointer; color: var(--accent); }
    .parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr));
      gap: 0 28px; align-items: start; }
    .parts > div { min-width: 0; }
    ol.frames { margin: 0 0 6px; padding-left: 34px; }
    ol.frames, .before, pre, .row, .group { font-family: ui-monospace, "DejaVu Sans Mono", Menlo,
      Consolas, monospace; font-size: 12.5px; }
    ol.frames li { padding: 1px 0; overflow-wrap: anywhere; }
    ol.frames li::marker { color: var(--dim); }
    ol.frames .img { color: var(--dim); }
    ol.frames li.own { font-weight: 650; }
    .before div { display: flex; gap: 12px; padding: 1px 0; }
    .before .t, .before .p { flex: none; color: var(--dim); }
    .before .p { width: 10ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .before .b { min-width: 0; overflow-wrap: anywhere; display: -webkit-box; overflow: hidden;
      -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
    .group { display: flex; gap: 12px; width: 100%; text-align: left; background: none; border: 0;
      border-radius: 6px; padding: 3px 6px; }
    .group:hover { background: var(--select); }
    .group .n { flex: none; width: 6ch; text-align: right; font-weight: 650; color: var(--text); }
    .group .t { flex: none; width: 19ch; color: var(--dim); }
    .group .p { flex: none; width: 16ch; overflow: hidden; text-overflow: ellipsis; color: var(--dim); }
    .group .b { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
    #often > button:not(.group) { margin: 8px 0 0 6px; }
    #filters { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 10px; align-items: center; }
    select { max-width: min(100%, 16em); }
    input, select, button { font: inherit; color: inherit; background: var(--back);
      border: 1px solid var(--line); border-radius: 8px; padding: 5px 10px; }
    #text { flex: 1 1 260px; }
    button { cursor: pointer; }
    #only { border-color: var(--accent); color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    #count { color: var(--dim); font-variant-numeric: tabular-nums; }
    #list { height: min(70vh, 720px); overflow: auto; border: 1px solid var(--line);
      border-radius: 8px; position: relative; background: var(--back); }
    #rows { position: relative; }
    .row { position: absolute; left: 0; right: 0; height: 22px; line-height: 22px; display: flex;
      gap: 12px; padding: 0 10px; white-space: pre; cursor: default; border-left: 3px solid transparent; }
    .row:hover { background: color-mix(in srgb, var(--select) 55%, transparent); }
    .row[aria-selected="true"] { background: var(--select); }
    .row .t { color: var(--dim); flex: none; }
    .row .s { flex: none; width: 5ch; }
    .row .p { flex: none; width: 16ch; overflow: hidden; text-overflow: ellipsis; color: var(--dim); }
    .row .b { overflow: hidden; text-overflow: ellipsis; min-width: 0; flex: 1; }
    .s4 .s, .s4 .b { color: var(--warnText); } .s5 .s, .s5 .b { color: var(--errorText); }
    .s6 .s, .s6 .b { color: var(--fatalText); font-weight: 650; }
    .row.s4 { border-left-color: var(--warn); } .row.s5 { border-left-color: var(--error); }
    .row.s6 { border-left-color: var(--fatal); }
    .row.crash { background: #8e1f3b; color: #fff; border-left-color: #8e1f3b; }
    .row.crash span { color: #fff; } .row.crash[aria-selected="true"] { outline: 2px solid var(--accent);
      outline-offset: -2px; }
    mark { background: var(--mark); color: var(--markText); border-radius: 3px; padding: 0 2px; }
    mark.hit { background: var(--accent); color: #fff; }
    .esc { color: var(--dim); }
    #detail { margin-top: 10px; border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
    #meta { margin: 0 0 6px; color: var(--dim); font-size: 12px; }
    pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40vh; overflow: auto; }
    .keys { color: var(--dim); font-size: 12px; margin: 10px 0 0; display: flex; flex-wrap: wrap;
      gap: 6px 16px; }
    kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px;
      font: inherit; margin-right: 3px; }
    #notes ul { margin: 0 0 10px; padding-left: 20px; }
    #notes li { overflow-wrap: anywhere; }
    .empty { padding: 40px; text-align: center; color: var(--dim); }
    .none #time, .none #filters, .none .keys { display: none; } .none #list { height: auto; }
    .none #rows { height: auto !important; }
    @media (max-width: 700px) { header, main { padding-left: 12px; padding-right: 12px; }
      section { padding: 12px; } .row { flex-wrap: wrap; gap: 0 10px; height: 44px;
        border-bottom: 1px solid var(--line); line-height: 21px; }
      .row .b { flex: 0 0 100%; } .row .p { width: auto; } .group { flex-wrap: wrap; gap: 0 10px; }
      .group .b { flex: 0 0 100%; } .before div { flex-wrap: wrap; gap: 0 10px; }
      .before .p { width: auto; max-width: 100%; } .before .b { flex: 0 0 100%; } .group .n, .group .t, .group .p { width: auto; }
      #text { flex-basis: 100%; } .keys { display: none; } }
    @media print { body { background: #fff; } section { break-inside: auto; border-color: #bbb; }
      #filters > :not(output), .keys, #detail, #cursor, #zoomed, section > button, article button {
        display: none; }
      section > button.group { display: flex; } #list { height: auto; overflow: visible; border: 0; }
      .row { position: static; height: auto; white-space: pre-wrap; overflow-wrap: anywhere;
        break-inside: avoid; } #rows { height: auto !important; } article { break-inside: avoid; }
      .row.crash { background: none; color: var(--fatalText); }
      .row.crash span { color: inherit; } }
    """#
}
