// Pages show the ratings by two systems next to each other; a reader may choose one of them.
// The choice stands in the address, so that it lasts where nothing can be stored, and in the storage.
"use strict";

(() => {
  const KEY = "edo-ratings";
  const QUERY = "ratings";
  const root = document.documentElement;
  const note = document.querySelector(".both");
  const [lead, other] = note?.dataset.systems.split(" ") ?? [];

  const stored = (act) => {
    try {
      return act(window.localStorage) ?? "";
    } catch {
      return ""; // no storage, as in some private windows
    }
  };
  const asked = new URLSearchParams(location.search).get(QUERY);
  let choice = asked ?? stored((storage) => storage.getItem(KEY));

  // One rule a column, as tables have their own: those of the system that is not shown.
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const rules = new Set();

  function showColumns(table, left) {
    for (const head of table.tHead.rows[0].cells) {
      const name = `without-${head.cellIndex + 1}`;
      if (!rules.has(name)) {
        rules.add(name);
        sheet.insertRule(`.${name} > * > tr > :nth-child(${head.cellIndex + 1}) { display: none; }`);
      }
      table.classList.toggle(name, head.dataset.by === left);
      const isChosen = left !== "" && head.dataset.by && head.dataset.by !== left;
      if (head.matches(".less")) table.classList.toggle(`less-${head.cellIndex + 1}`, !isChosen);
    }
  }

  // A list by rank is in the order of the system that is shown.
  function sort(table, isByOther) {
    const button = table.querySelector("th[data-order] > button.sort");
    const isSorted = () => button.parentElement.getAttribute("aria-sort");
    for (let k = 0; button && k < 3 && (isSorted() === "ascending") !== isByOther; k += 1) button.click();
  }

  function show() {
    const shown = choice === other ? "other" : choice === lead ? "lead" : "";
    const left = { other: "lead", lead: "other" }[shown] ?? "";
    root.dataset.by = shown;
    for (const table of document.querySelectorAll("main table:has(th[data-by])")) {
      const wasByOther = table.classList.contains("by-other");
      showColumns(table, left);
      table.classList.toggle("by-other", shown === "other");
      if (wasByOther !== (shown === "other")) sort(table, shown === "other");
    }
    for (const button of note.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === shown));
    }
  }

  function choose(shown) {
    choice = { lead, other }[shown] ?? "both";
    stored((storage) => storage.setItem(KEY, choice));
    const query = new URLSearchParams(location.search);
    query.set(QUERY, choice);
    history.replaceState(null, "", `?${query}${location.hash}`);
    show();
  }

  // Links within the site take the choice along, just before they are followed.
  const folder = new URL(document.querySelector(".site-name a").href).href.replace(/[^/]*$/, "");
  function keep(event) {
    const anchor = event.target.closest?.("a[href]");
    if (!choice || !anchor || !anchor.href.startsWith?.(folder) || anchor.hasAttribute("download")) return;
    const to = new URL(anchor.href);
    if (!/(\/|\.html)$/.test(to.pathname) || to.pathname + to.search === location.pathname + location.search) return;
    if (to.pathname === location.pathname && anchor.getAttribute("href").startsWith("#")) return;
    to.searchParams.set(QUERY, choice);
    anchor.href = to.href;
  }
  for (const kind of ["click", "auxclick", "contextmenu"]) document.addEventListener(kind, keep, true);
  document.addEventListener("submit", ({ target }) => {
    if (!choice || target.method !== "get") return;
    const field = target.elements[QUERY] ?? document.createElement("input");
    Object.assign(field, { type: "hidden", name: QUERY, value: choice });
    target.append(field);
  });

  if (!note) return;
  if (asked) stored((storage) => storage.setItem(KEY, asked));
  const names = [...note.querySelectorAll("a")].map((anchor) => anchor.textContent);
  const group = Object.assign(document.createElement("span"), { className: "choice" });
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Ratings shown");
  for (const [value, textContent] of [["", "Both"], ["lead", names[0]], ["other", names[1]]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", value, textContent });
    button.addEventListener("click", () => choose(value));
    group.append(button);
  }
  note.append(" ", group);
  show();
})();
