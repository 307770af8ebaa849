// A combobox for one rated player: it finds as the search of the site does, and hands on the choice.
"use strict";

(() => {
  const { load, element } = window.edoSearch;
  const MOST = 8; // hits shown

  // Let `box` choose among players (a Map by id); `choose(id)` is told of it.
  window.edoCompare.choice = (box, list, players, choose, say) => {
    let active = -1;
    const options = () => [...list.children];

    function activate(number) {
      options()[active]?.setAttribute("aria-selected", "false");
      active = number;
      const option = options()[active];
      option?.setAttribute("aria-selected", "true");
      option?.scrollIntoView({ block: "nearest" });
      if (option) box.setAttribute("aria-activedescendant", option.id);
      else box.removeAttribute("aria-activedescendant");
    }

    function close() {
      activate(-1);
      list.hidden = true;
      box.setAttribute("aria-expanded", "false");
    }

    function optionOf(hit, number) {
      const one = players.get(hit.id);
      const years = one.first === one.last ? one.first : `${one.first}–${one.last}`;
      const also = hit.also ? `, also written ${hit.also}` : "";
      const option = element("li", { id: `add-hit-${number}` }, one.name, " ",
        element("span", { className: "aside" }, `${years}${also}`));
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.id = hit.id;
      return option;
    }

    function found(find) {
      return find(box.value).filter((hit) => hit.kind.folder === "players/")
        .map((hit) => ({ ...hit, id: hit.path.slice("players/".length, -".html".length) }))
        .filter((hit) => players.has(hit.id));
    }

    function show(find) {
      const hits = found(find);
      close();
      list.replaceChildren(...hits.slice(0, MOST).map(optionOf));
      list.hidden = !hits.length;
      box.setAttribute("aria-expanded", String(Boolean(hits.length)));
      say(hits.length ? `${hits.length} found` : "No rated player of that name");
    }

    function answer() {
      if (!box.value.trim()) { close(); say(""); return; }
      load().then(show, () => say("The names could not be loaded"));
    }

    function take(option) {
      box.value = "";
      close();
      choose(option.dataset.id);
    }

    function onKey(event) {
      const n = options().length;
      const isOpen = !list.hidden;
      if (event.key === "ArrowDown" && isOpen) activate((active + 1) % n);
      else if (event.key === "ArrowUp" && isOpen) activate((active + n - (active < 0 ? 0 : 1)) % n);
      else if (event.key === "ArrowDown") answer();
      else if (event.key === "Enter" && isOpen) take(options()[Math.max(active, 0)]);
      else if (event.key === "Escape" && isOpen) close();
      else return;
      event.preventDefault();
    }

    box.addEventListener("focus", () => load().catch(() => {}), { once: true });
    box.addEventListener("input", answer);
    box.addEventListener("keydown", onKey);
    box.addEventListener("blur", close);
    list.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) take(option);
    });
  };
})();
