// The page of matches that never were: what is chosen stands in the address, and the drawing follows it.
"use strict";

(() => {
  const compare = window.edoCompare;
  const { load: run, copy } = window.edoDom;
  const { chance, score: points } = window.edoNumbers;
  const [GAMES, SIDES] = [20, ["first", "second"]];
  const root = document.getElementById("match");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const draws = JSON.parse(root.dataset.draws);
  const title = document.title;
  let state = null;

  function readAddress() {
    const search = location.search || root.dataset.example;
    state = { ...compare.read(search, ""), by: "own" };
    const games = compare.year(new URLSearchParams(search).get("n")) ?? GAMES;
    state.games = Math.min(Math.max(games, 1), Number(part("games").max));
  }

  async function load(id) {
    const player = compare.players.get(id);
    if (player && !player.record) await run(player.file).catch(() => {});
  }

  const chosen = () => compare.view(state).all.slice(0, 2);

  function address([first, second]) {
    return `?p=${first.player.id},${second.player.id}&in=${first.zero},${second.zero}&n=${state.games}`;
  }

  function sentence(names, score) {
    const { chances: [won, drawn, lost], expected, games, range } = score;
    const both = (p) => `${points(p)}–${points(games - p)}`;
    return `${names[0]} would win the match with a probability of ${chance(won)}, draw it with ${chance(drawn)} and lose it with ${chance(lost)}. ` +
      `The expected score is ${expected.toFixed(1)}–${(games - expected).toFixed(1)}; ` +
      `nine matches in ten would end between ${both(range[0])} and ${both(range[1])}.`;
  }

  // What stands in the boxes: names and years of those who are chosen.
  function fillBoxes(sides) {
    part("games").value = state.games;
    SIDES.forEach((name, k) => {
      const year = part(`${name}-year`);
      const { player, zero } = sides[k] ?? {};
      part(name).placeholder = player?.name ?? "";
      Object.assign(year, { min: player?.first ?? "", max: player?.last ?? "", value: zero ?? "", disabled: !player });
    });
  }

  function show() {
    const sides = chosen();
    fillBoxes(sides);
    const found = sides.length === 2 ? compare.compared(...sides, 0) : null;
    part("figure").hidden = !found;
    const unknown = sides.length < 2 ? "Choose two players." : "What the two ratings have in common is not kept for this year.";
    part("status").textContent = [compare.notes(state, { all: sides }), found ? "" : unknown].filter(Boolean).join(" ");
    if (!found) return;
    const years = sides.map((one) => compare.at(one, 0));
    const share = years.reduce((sum, { year, rating }) => sum + compare.drawShare(draws, year, rating), 0) / 2;
    const score = compare.matchScore(found.lead, found.deviation, share, state.games);
    const names = sides.map((one) => one.label);
    const heading = sides.map((one) => `${one.label} ${one.zero}`).join(" – ");
    const words = sentence(names, score);
    const ends = [0, 1].map((k) => `${names[k]} wins: ${chance(score.chances[2 * k])}`);
    compare.drawMatch(part("figure").querySelector("svg"), score, ends, `${heading}: ${words}`);
    part("sentence").textContent = words;
    Object.assign(part("figure").dataset, {
      title: `${heading}, ${state.games} games`,
      save: `${sides.map((one) => `${one.player.id}_${one.zero}`).join("_")}.svg`,
    });
    document.querySelector("h1").textContent = heading;
    document.title = `${heading} · ${title}`;
  }

  async function change(changes) {
    Object.assign(state, { problems: [] }, changes);
    await Promise.all(state.slots.filter(Boolean).map(load));
    show();
    const sides = chosen();
    if (sides.length === 2) history.replaceState(null, "", address(sides));
  }

  function listen() {
    const tell = (words) => { part("status").textContent = words; };
    SIDES.forEach((name, k) => {
      compare.choice(part(name), part(`${name}-hits`), compare.players, (id) => {
        const slots = [...state.slots];
        const years = [...state.years];
        if (slots[1 - k] === id) return tell("A match needs two players.");
        [slots[k], years[k]] = [id, null];
        return change({ slots, years });
      }, tell);
      part(`${name}-year`).addEventListener("change", () => {
        const years = [...state.years];
        years[k] = compare.year(part(`${name}-year`).value);
        change({ years });
      });
    });
    part("games").addEventListener("change", () => {
      const games = Math.round(Number(part("games").value)) || GAMES;
      change({ games: Math.min(Math.max(games, 1), Number(part("games").max)) });
    });
    part("copy").addEventListener("click", () => copy(location.href, tell, "The link is copied."));
  }

  // The index of the players calls it, being the last script of the page.
  compare.begin = () => {
    readAddress();
    state.slots = state.slots.slice(0, 2);
    root.hidden = false;
    listen();
    Promise.all(state.slots.map(load)).then(() => {
      show();
      const sides = chosen();
      if (sides.length === 2) history.replaceState(null, "", address(sides));
    });
  };
})();
