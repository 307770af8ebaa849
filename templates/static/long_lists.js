// The index of a list that is cut into pages: shows the rows of all of them, sorted and filtered.
"use strict";
(() => {
  const { load: script, element } = window.edoDom;
  const { longs, setUp } = window.edoTables;
  const FIRST = 200; // rows drawn at first; more when they are asked for
  const holder = document.getElementById("all-parts");
  const table = holder.querySelector("table");
  const names = holder.dataset.parts.split(" ");
  const given = new Map();
  window.edoRows = (name, html) => given.set(name, html);

  const isAsked = location.search.length > 1;

  // An address such as #m once led to a place in the whole list.
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector("a");
  if (part?.closest(".parts") && !isAsked) location.replace(part.href);

  function rowsOf(html) {
    const made = document.createElement("template");
    made.innerHTML = `<table><tbody>${html}</tbody></table>`; // from our own pages, escaped there
    return [...made.content.querySelectorAll("tr")];
  }

  function show() {
    const rows = names.flatMap((name) => rowsOf(given.get(name)));
    for (const row of rows) row.removeAttribute("id"); // the first of a letter: the index has these
    const more = element("button", { type: "button" });
    let most = FIRST;
    const long = {
      rows,
      draw() {
        const shown = long.rows.filter((row) => !row.hidden);
        table.tBodies[0].replaceChildren(...shown.slice(0, most));
        more.hidden = shown.length <= most;
        more.textContent = `Show ${Math.min(shown.length - most, 5 * FIRST).toLocaleString("en")} more`;
      },
      restart() { most = FIRST; },
    };
    more.addEventListener("click", () => {
      const last = table.tBodies[0].lastElementChild;
      most += 5 * FIRST;
      long.draw();
      last.nextElementSibling?.querySelector("a")?.focus();
    });
    longs.set(table, long);
    long.draw();
    holder.hidden = false;
    setUp(table);
    holder.append(more);
    window.edoFilter(table);
  }

  const ask = element("button", { type: "button" }, holder.dataset.label);
  const said = element("span", { className: "status", role: "status" });

  async function load() {
    ask.disabled = true;
    said.textContent = " Loading …";
    try {
      await Promise.all(names.map((name) => given.has(name) || script(`${name}.js`)));
      ask.parentElement.remove();
      show();
    } catch {
      ask.disabled = false;
      said.textContent = " The rows could not be loaded.";
    }
  }

  ask.addEventListener("click", () => load().then(() => holder.querySelector("input")?.focus()));
  holder.before(element("p", {}, ask, said));
  if (isAsked) load();
})();
