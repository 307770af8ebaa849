// Controls over a table whose heads say what may be asked of them; the answers stand in the address.
"use strict";
(() => {
  const { element } = window.edoDom;
  const { isBlank, numbers, textOf, pieces, cells, heads, shown, longs } = window.edoTables;
  const FEWEST = 20; // rows, below which a reader needs no controls

  const first = (cell) => numbers(cell)[0];
  const last = (cell) => Math.max(...numbers(cell)); // of a season 2021/22 its first year
  const parts = (text) => text.split(", ");

  // Names are compared as the search does; the words of a cell are worked out once.
  const known = new Map();
  function spelled(text) {
    if (!known.has(text)) known.set(text, window.edoFolding.words(text).join(" "));
    return known.get(text);
  }

  // Each kind: its controls, and what they ask of a cell; a head names its own key and words. Blank cells answer nothing but the empty question.
  const KINDS = {
    contains: [{ type: "search", asks: (cell, value) => spelled(cell).includes(spelled(value)) }],
    choice: [{ type: "select", asks: (cell, value) => parts(cell).includes(value) }],
    span: [
      { type: "number", key: "from", asks: (cell, value) => last(cell) >= Number(value) },
      { type: "number", key: "to", label: "to", asks: (cell, value) => first(cell) <= Number(value) },
    ],
    most: [{ type: "number", asks: (cell, value) => first(cell) <= Number(value) }],
    least: [{ type: "number", asks: (cell, value) => first(cell) >= Number(value) }],
    some: [{ type: "checkbox", asks: () => true }],
  };

  function options(select, column) {
    const counts = new Map();
    for (const cell of column.filter((text) => !isBlank(text)))
      for (const part of parts(cell)) counts.set(part, (counts.get(part) ?? 0) + 1);
    select.append(new Option("any", ""));
    for (const part of [...counts.keys()].sort((a, b) => a.localeCompare(b, "en")))
      select.append(new Option(`${part} (${counts.get(part)})`, part));
    return counts.size;
  }

  function make(kind, key, column) {
    const input = document.createElement(kind.type === "select" ? "select" : "input");
    if (kind.type !== "select") input.type = kind.type;
    else if (options(input, column) < 2) return null;
    if (kind.type === "number") input.min = 0;
    input.name = key;
    input.autocomplete = "off";
    return input;
  }

  const isTick = (input) => input.type === "checkbox";
  const valueOf = (input) => (isTick(input) ? (input.checked ? "yes" : "") : input.value.trim());

  function setValue(input, value) {
    if (isTick(input)) input.checked = value === "yes";
    else input.value = value;
  }

  // The controls of a table, for each head that has any; a column's texts are read once.
  function groupsOf(table, rows) {
    return heads(table).filter((head) => head.dataset.filter).map((head) => {
      const column = rows.map((row) => textOf(cells(row)[heads(table).indexOf(head)]));
      return KINDS[head.dataset.filter].flatMap((kind) => {
        const input = make(kind, kind.key ?? head.dataset.key, column);
        const label = kind.label ?? head.dataset.label ?? shown(head);
        return input ? [{ input, label, column, asks: kind.asks }] : [];
      });
    });
  }

  // The controls are folded away until they are wanted.
  function box(groups, reset, status, isOpen) {
    const holders = groups.map((controls) => element("span", { className: "together" },
      ...controls.map(({ input, label }) =>
        element("label", {}, ...(isTick(input) ? [input, ` ${label}`] : [`${label} `, input])))));
    const fieldset = element("fieldset", { className: "controls" }, ...holders, reset);
    fieldset.setAttribute("aria-label", "Show only");
    const details = element("details", { open: isOpen }, element("summary", { textContent: "Show only …" }), fieldset);
    return element("div", { className: "filters" }, details, status);
  }

  function writeAddress(controls) {
    const query = new URLSearchParams(location.search);
    for (const { input } of controls) {
      query.delete(input.name);
      if (valueOf(input)) query.set(input.name, valueOf(input));
    }
    const asked = String(query) ? `?${query}` : location.pathname;
    history.replaceState(null, "", asked + location.hash);
  }

  function filter(table) {
    const rows = pieces(table);
    if (rows.length < FEWEST) return;
    const groups = groupsOf(table, rows);
    const controls = groups.flat();
    const reset = element("button", { type: "button", textContent: "Reset" });
    const status = element("p", { className: "status" });
    status.setAttribute("role", "status");
    const noun = table.dataset.rows ?? "rows";
    let later;

    function apply() {
      const asked = controls.map((one) => ({ ...one, value: valueOf(one.input) })).filter((one) => one.value);
      let count = 0;
      rows.forEach((row, i) => {
        const isShown = asked.every(({ column, asks, value }) => !isBlank(column[i]) && asks(column[i], value));
        if (row.hidden === isShown) row.hidden = !isShown;
        count += isShown;
      });
      table.classList.toggle("filtered", count < rows.length);
      longs.get(table)?.draw();
      const total = rows.length.toLocaleString("en");
      status.textContent = asked.length ? `${count.toLocaleString("en")} of ${total} ${noun} shown` : "";
    }

    function change() {
      longs.get(table)?.restart();
      apply();
      clearTimeout(later); // browsers allow but so many changes of the address a minute
      later = setTimeout(writeAddress, 200, controls);
    }

    reset.addEventListener("click", () => {
      for (const { input } of controls) setValue(input, "");
      change();
    });
    const query = new URLSearchParams(location.search);
    for (const { input } of controls) setValue(input, query.get(input.name) ?? "");
    const isOpen = controls.some((one) => valueOf(one.input));
    const holder = box(groups, reset, status, isOpen);
    holder.addEventListener("input", change);
    (table.closest(".scroll") ?? table).before(holder);
    apply();
  }

  window.edoFilter = filter; // for a table whose rows come later
  const table = document.querySelector("main th[data-filter]")?.closest("table");
  if (table) filter(table);
})();
