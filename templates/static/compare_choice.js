// A combobox for one rated player: it finds as the search of the site does, and hands on the choice.
"use strict";

(() => {
  const { element } = window.edoDom;
  const { combobox } = window.edoSearch;

  const idOf = (hit) => hit.path.slice("players/".length, -".html".length);

  // Let `box` choose among players (a Map by id); `choose(id)` is called for each choice, `tell` reports what is found.
  window.edoCompare.choice = (box, list, players, choose, tell) => combobox(box, list, {
    most: 8,
    isSure: true,
    tell,
    hits: (find, text) => find(text).filter((hit) => hit.kind.folder === "players/" && players.has(idOf(hit))),
    line(hit) {
      const one = players.get(idOf(hit));
      const years = one.first === one.last ? one.first : `${one.first}–${one.last}`;
      const also = hit.also ? `, also written ${hit.also}` : "";
      return [one.name, " ", element("span", { className: "aside" }, `${years}${also}`)];
    },
    take(hit) {
      box.value = "";
      choose(idOf(hit));
    },
  });
})();
