// Every table with a head: its columns sort, and what is shown of it downloads as CSV.
"use strict";
(() => {
  const { element, save } = window.edoDom;
  const { fold, kebab } = window.edoFolding;
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const DATE = new RegExp(`^(?:about )?(?:\\d{1,2}(?:–\\d{1,2})? )?(${MONTHS.join("|")})\\b`);
  const YEAR = /^(?:about )?\d{4}(?!\d)/;
  const NUMBER = /(^-|[+−])?(\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?)?([¼½¾])?/g;
  const PARTS = { "¼": 0.25, "½": 0.5, "¾": 0.75 };
  const NUMERIC = /^(?:[cb]\. |about |[≈<>+−-])?[\d¼½¾]/;

  // What a reader sees in a cell, on one line; marks in brackets, without what only screen readers say.
  function shown(node) {
    const words = (part) => [...part.childNodes].map((child) => {
      if (child.nodeType === Node.TEXT_NODE) return child.data;
      if (child.nodeType !== Node.ELEMENT_NODE || child.matches(".unseen, svg")) return "";
      if (child.matches(".mark, sup")) return ` [${words(child)}] `;
      if (child.matches(".game, .deduced, .unknown, .number")) return ` ${words(child)} `; // two games are no number
      return child.tagName === "BR" ? " " : words(child);
    }).join("");
    return words(node).replace(/\s+/g, " ").trim();
  }

  // The same for CSV: an empty cell of a crosstable would look like games not played.
  const told = (cell) => (cell.matches("td.unknown") ? "?" : shown(cell));

  const isBlank = (text) => /^[–—-]?$/.test(text);

  // A name as an English index sorts it: without accents and marks, so that "St. Paul" is "St Paul".
  const indexed = (text) => fold(text).replace(/[^\p{L}\p{N} ,]/gu, "");

  // All numbers of a text: "2763 (31)" is [2763, 31], "1½/3" is [1.5, 3], "<1%" a little less than 1.
  function numbers(text) {
    const nudge = { "<": -0.5, ">": 0.5 }[text[0]] ?? 0;
    return [...text.matchAll(NUMBER)].filter(([, , whole, part]) => whole || part)
      .map(([, sign, whole = "0", part]) => {
        const size = Number(whole.replaceAll(",", "")) + (PARTS[part] ?? 0) + nudge;
        return sign === "−" || sign === "-" ? -size : size;
      });
  }

  // The first date of a text; what is known only by its year comes after what is known by the month.
  function date(text) {
    const month = DATE.exec(text)?.[1];
    const day = month && /^(?:about )?(\d{1,2})\b/.exec(text)?.[1];
    return [Number(/\d{4}/.exec(text)?.[0]), month ? MONTHS.indexOf(month) + 1 : 13, Number(day ?? 32)];
  }

  const longs = new WeakMap(); // what shows the rows of a table that has too many to draw (long_lists.js)

  // A piece is what stays together: a row, or a body of rows where there are several.
  const pieces = (table) => longs.get(table)?.rows
    ?? (table.tBodies.length > 1 ? [...table.tBodies] : [...(table.tBodies[0]?.rows ?? [])]);
  const cells = (piece) => [...(piece.tagName === "TBODY" ? piece.rows[0] : piece).cells];
  const heads = (table) => [...table.tHead.rows[0].cells];
  const textOf = (cell) => cell.dataset.sort ?? shown(cell);

  function keysOf(texts) {
    const known = texts.filter((text) => !isBlank(text));
    if (known.length && known.every((text) => NUMERIC.test(text) && !DATE.test(text))) return numbers;
    return known.every((text) => DATE.test(text) || YEAR.test(text)) ? date : indexed;
  }

  function compare(a, b) {
    if (typeof a === "string") return a.localeCompare(b, "en");
    const at = a.findIndex((number, i) => number !== b[i]);
    return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -Infinity);
  }

  // The pieces by a column, equals in their first order, blanks last either way.
  function sorted(original, column, direction) {
    const texts = original.map((piece) => textOf(cells(piece)[column]));
    const keyOf = keysOf(texts);
    const rows = original.map((piece, i) => ({ piece, isLast: isBlank(texts[i]), key: keyOf(texts[i]) }));
    const sign = direction === "ascending" ? 1 : -1;
    rows.sort((a, b) => a.isLast - b.isLast || (a.isLast ? 0 : sign * compare(a.key, b.key)));
    return rows.map((row) => row.piece);
  }

  const OTHER = { ascending: "descending", descending: "ascending" };

  // The first press sorts, the second turns round, the third brings back the first order.
  function press(table, original, head) {
    const first = head.dataset.first ?? "ascending";
    const now = head.getAttribute("aria-sort");
    const next = now === null ? first : now === first ? OTHER[first] : null;
    for (const each of heads(table)) each.removeAttribute("aria-sort");
    if (next) head.setAttribute("aria-sort", next);
    const order = next ? sorted(original, heads(table).indexOf(head), next) : original;
    const long = longs.get(table);
    if (long) Object.assign(long, { rows: order }).draw();
    else if (table.tBodies.length > 1) table.append(...order);
    else table.tBodies[0].replaceChildren(...order); // to move thousands of rows one by one takes seconds
  }

  function isSortable(table) {
    const all = pieces(table);
    return all.length > 1 && table.tHead.rows.length === 1 && !table.matches(".crosstable")
      && all.every((piece) => cells(piece).length === heads(table).length)
      && !table.querySelector(":scope > tbody > tr > [rowspan]");
  }

  function makeSortable(table) {
    const original = pieces(table);
    for (const head of heads(table)) {
      const button = element("button", { type: "button", className: "sort" }, ...head.childNodes);
      button.addEventListener("click", () => press(table, original, head));
      head.append(button);
    }
  }

  // CSV. A spreadsheet would take "3/5" for a date, so points and games get columns of their own.
  const AMOUNT = "(\\d[\\d,]*(?:\\.\\d+)?[¼½¾]?|[¼½¾])";
  const PAIRS = [
    [new RegExp(`^${AMOUNT}/${AMOUNT}$`), "of"],
    [new RegExp(`^${AMOUNT} of ${AMOUNT}$`), "of"],
    [new RegExp(`^${AMOUNT} \\(${AMOUNT}\\)$`), "deviation"],
  ];
  const WHOLE = /^[+−-]?(?:(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)[¼½¾]?|[¼½¾])$/;

  function split([head, ...texts]) {
    const known = texts.filter((text) => !isBlank(text));
    const [pair, name] = PAIRS.find(([one]) => known.length && known.every((text) => one.test(text))) ?? [];
    if (!pair) return [[head, ...texts]];
    const halves = texts.map((text) => pair.exec(text) ?? ["", "", ""]);
    return [[head, ...halves.map((half) => half[1])], [`${head}: ${name}`, ...halves.map((half) => half[2])]];
  }

  function field(text) {
    let plain = isBlank(text) ? "" : text;
    if (WHOLE.test(text)) plain = /[¼½¾]/.test(text) ? String(numbers(text)[0]) : text.replaceAll(",", "").replace("−", "-").replace(/^\+/, "");
    else if (PAIRS[0][0].test(text)) plain = text.replace("/", " of ");
    else if (/^[=+\-@\t\r]./.test(plain)) plain = `'${plain}`; // no spreadsheet shall take it for a formula
    return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  }

  function csv(table) {
    const rows = [heads(table), ...pieces(table).filter((piece) => !piece.hidden).map(cells)];
    const columns = heads(table).flatMap((_, i) => split(rows.map((row) => (row[i] ? told(row[i]) : ""))));
    return rows.map((_, line) => columns.map((column) => field(column[line])).join(",") + "\r\n").join("");
  }

  function fileName(id) {
    const [folder, page] = location.pathname.replace(/\.html$/, "").split("/").slice(-2);
    const name = page === "index" || page === "" ? folder : page;
    return `${kebab(decodeURIComponent(name)) === id ? id : `${kebab(decodeURIComponent(name))}-${id}`}.csv`;
  }

  function download(table, id) {
    save(new Blob(["\uFEFF", csv(table)], { type: "text/csv;charset=utf-8" }), fileName(id));
  }

  // The id by which the table can be linked to: its region's, its own, or one made of its name.
  function idOf(table, region, label) {
    const holder = region?.id ? region : table;
    if (!holder.id) {
      const made = kebab(label);
      let id = made || "table";
      for (let n = 1; document.getElementById(id); n += 1) id = `${made}-table${n > 1 ? n : ""}`;
      holder.id = id;
      if (location.hash === `#${id}`) holder.scrollIntoView();
    }
    return holder.id;
  }

  // Narrow screens leave out the columns whose heads say so, until they are asked for.
  function allColumns(table, region) {
    const less = region ? heads(table).filter((head) => head.matches(".less")).map((head) => head.cellIndex) : [];
    if (!less.length) return [];
    const rows = longs.get(table)?.rows ?? [...table.tBodies].flatMap((body) => [...body.rows]);
    for (const row of rows)
      for (const column of less) row.cells[column]?.classList.add("less");
    region.classList.add("narrowed");
    const button = element("button", { type: "button", className: "all-columns", "aria-pressed": "false" }, "All columns");
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(region.classList.toggle("all")));
    });
    return [button];
  }

  function addFoot(table, region, label) {
    const id = idOf(table, region, label);
    const button = element("button", { type: "button", "aria-label": `CSV: ${label}` }, "CSV");
    button.addEventListener("click", () => download(table, id));
    const foot = [button, ...allColumns(table, region)];
    (region ?? table).after(element("p", { className: "table-foot" }, ...foot));
  }

  // Where a table needs no scrolling, its heads stick to the window; else its names stick to the side.
  function fit(table, region) {
    const column = cells(pieces(table)[0]).findIndex((cell) => cell.scope === "row");
    if (column >= 0) heads(table)[column]?.classList.add("name");
    const measure = () => {
      if (!table.checkVisibility({ contentVisibilityAuto: true })) return; // it is not laid out yet
      const fits = table.offsetWidth <= region.clientWidth;
      region.classList.toggle("fits", fits);
      if (fits) region.removeAttribute("tabindex");
      else region.tabIndex = 0;
    };
    new ResizeObserver(measure).observe(region);
    region.addEventListener("contentvisibilityautostatechange", measure);
    measure();
  }

  function setUp(table) {
    if (!table.tHead || !pieces(table).length || table.parentElement.closest("table")) return;
    const region = table.closest(".scroll");
    const label = region?.getAttribute("aria-label") ?? table.caption?.textContent.trim() ?? "Table";
    if (region && !region.matches(".wide")) fit(table, region);
    addFoot(table, region, label);
    if (isSortable(table)) makeSortable(table);
  }

  window.edoTables = { shown, isBlank, numbers, textOf, pieces, cells, heads, longs, setUp };
  document.querySelectorAll("main table").forEach(setUp);
})();
