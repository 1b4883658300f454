// SPDX-License-Identifier: Apache-2.0

/// The body of `report.html`, empty of data.
enum ReportMarkup {
  static let text = #"""
    <body>
    <header>
      <h1>Support bundle <span id="host"></span></h1>
      <p id="range"></p>
      <ul id="facts"></ul>
      <p id="warning" hidden>This bundle is NOT redacted: it may hold secrets and personal data.</p>
    </header>
    <main>
      <section id="time" aria-labelledby="t1">
        <h2 id="t1">Timeline</h2>
        <div id="plot"><canvas id="chart" tabindex="0" role="img"
          aria-label="Records over time, by severity. Drag to zoom, double-click for all."></canvas>
          <div id="brush" hidden></div><div id="cursor" hidden></div></div>
        <p id="legend"></p>
      </section>
      <section id="crashes" aria-labelledby="t2" hidden><h2 id="t2">Crashes</h2></section>
      <section id="often" aria-labelledby="oftenTitle" hidden><h2 id="oftenTitle"></h2></section>
      <section id="log" aria-labelledby="t3">
        <h2 id="t3">Log</h2>
        <form id="filters">
          <input id="text" type="search" placeholder="Filter text  ( / )" aria-label="Filter text">
          <select id="severity" aria-label="Lowest severity">
            <option value="0">all severities</option><option value="5">debug and up</option>
            <option value="9">info and up</option><option value="13">warn and up</option>
            <option value="17">error and up</option><option value="21">fatal</option>
          </select>
          <select id="source" aria-label="Source"><option value="-1">all sources</option></select>
          <select id="process" aria-label="Process"><option value="-1">all processes</option></select>
          <button id="only" type="button" aria-label="Show other records too" hidden></button>
          <button id="reset" type="button">Reset</button>
          <output id="count"></output>
        </form>
        <div id="list" tabindex="0" role="listbox" aria-label="Log records"><div id="rows"></div></div>
        <div id="detail" hidden><p id="meta"></p><pre id="full"></pre></div>
        <p class="keys"><span><kbd>/</kbd> filter</span> <span><kbd>j</kbd><kbd>k</kbd> next, previous</span>
          <span><kbd>e</kbd><kbd>E</kbd> error</span> <span><kbd>c</kbd><kbd>C</kbd> crash</span>
          <span><kbd>Enter</kbd> whole text</span> <span><kbd>Esc</kbd> reset</span></p>
      </section>
      <section id="notes" aria-labelledby="t4"><h2 id="t4">What is not in here</h2></section>
    </main>
    """#
}
