// On a player's page: the ratings under all systems, year by year, from a script of edo/site/systems_data.py.
"use strict";

(() => {
  const { element, load } = window.edoDom;
  const { setUp } = window.edoTables;
  const holder = document.getElementById("all-systems");
  const { player, ratings, root } = holder.dataset;
  const button = element("button", { type: "button" }, "Show the ratings year by year");
  const status = element("span", { role: "status", className: "status" });

  function show({ systems, players }) {
    const [first, played, rows] = players[player];
    const shown = systems.map((system, k) => ({ system, row: rows[k] })).filter(({ row }) => row.some(Boolean));
    const heads = shown.map(({ system: [slug, name] }) =>
      element("th", { scope: "col", className: "num" }, element("a", { href: `${root}${slug}.html` }, name)));
    const years = [...played].map((mark, k) =>
      element("tr", mark === "1" ? {} : { className: "gap" },
        element("th", { scope: "row" }, String(first + k)),
        ...shown.map(({ row }) => element("td", { className: "num" }, String(row[k] ?? "").replace("-", "−")))));
    const table = element("table", {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Year"), ...heads)),
      element("tbody", {}, ...years));
    const label = "Ratings under all systems";
    holder.replaceChildren(element("div", { className: "scroll wide", role: "region", tabindex: 0, "aria-label": label }, table));
    setUp(table);
  }

  button.addEventListener("click", () => {
    window.edoSystems = show;
    button.disabled = true;
    status.textContent = " Loading …";
    load(ratings).catch(() => {
      button.disabled = false;
      status.textContent = " The ratings could not be loaded.";
    });
  });
  holder.append(button, status);
})();
