// The page of comparisons: what is chosen stands in the address, and everything is drawn from it.
"use strict";

(() => {
  const compare = window.edoCompare;
  const { element, load: run, save, copy } = window.edoDom;
  const { MOST } = compare;
  const KEYS = { year: "years", age: "ages", own: "years from the chosen ones," };
  const REST = 250; // [ms] the cursor rests before the address tells of it: browsers allow few changes
  const root = document.getElementById("compare");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const svg = part("figure").querySelector("svg");
  const slider = part("slider");
  const title = document.title;
  let state = null;
  let view = null;
  let scale = null;
  let writing = null;

  const chosen = () => state.slots.filter(Boolean);
  const unitButtons = () => root.querySelectorAll("[name=by]");

  function readAddress() {
    state = compare.read(location.search, root.dataset.example);
  }

  function writeAddress() {
    clearTimeout(writing);
    history.replaceState(null, "", compare.address(state));
  }

  async function load(id) {
    const player = compare.players.get(id);
    if (player.record) return;
    await run(player.file).catch(() => {}); // what is not there has no record
    if (player.record) return;
    state.problems.push(`${player.name} could not be loaded.`);
    state.slots = state.slots.map((one) => (one === id ? null : one));
  }

  const loaded = () => Promise.all(chosen().map(load));

  function drawChart() {
    const curves = view.shown.map((one) => {
      const { label, number } = one;
      const points = view.keys.map((key) => ({ key, ...compare.at(one, key) }));
      return { points: points.filter((point) => point.player), label, number };
    });
    const [first, last] = [view.keys[0], view.keys.at(-1)];
    const names = compare.listed(view.shown.map((one) => one.player.name));
    const words = `Rating curves of ${names} over the ${KEYS[view.by]} ${first} to ${last}; ` +
      "all numbers stand in the table below";
    scale = compare.draw(svg, view.keys, curves.filter((curve) => curve.points.length), words);
    slider.hidden = first === last;
    Object.assign(slider, { min: first, max: last });
    slider.setAttribute("aria-label", { year: "Year", age: "Age", own: "Years after the chosen ones" }[view.by]);
    slider.style.marginLeft = `calc(${scale.x(first).toFixed(1)}px - var(--thumb) / 2)`;
    slider.style.width = `calc(${(scale.x(last) - scale.x(first)).toFixed(1)}px + var(--thumb))`;
  }

  function showCursor() {
    const key = compare.cursor(state, view);
    slider.value = key;
    const points = view.shown.map((one) => compare.at(one, key)).filter(Boolean);
    compare.mark(svg, scale, key, points);
    part("readout").replaceChildren(...compare.readout(view, key));
    part("matrix").replaceChildren(compare.matrix(view, key));
    part("when").textContent = compare.when(view, key);
  }

  function moveTo(key) {
    state.at = Math.max(view.keys[0], Math.min(view.keys.at(-1), key));
    showCursor();
    clearTimeout(writing);
    writing = setTimeout(writeAddress, REST);
  }

  // Where each is compared in a year of their own, the box to choose it.
  function yearBox({ player, number, zero }) {
    const box = element("input", {
      className: "key", type: "number", min: player.first, max: player.last, value: zero, "aria-label": `Year of ${player.name}`,
    });
    box.addEventListener("change", () => {
      const years = [...state.years];
      years[number] = compare.year(box.value);
      change({ years, at: null });
    });
    return box;
  }

  function entry(one) {
    const { player, number } = one;
    const link = element("a", { href: compare.playerPage(view, player) }, player.name);
    const remove = element("button", { type: "button", "aria-label": `Remove ${player.name}` }, "×");
    remove.addEventListener("click", () => removeSlot(number));
    const isLeftOut = view.by === "age" && player.born === null;
    const year = view.by === "own" ? [" in ", yearBox(one)] : [];
    return element("li", {}, compare.badge(number), link, ...year, isLeftOut ? " (no year of birth)" : "", remove);
  }

  // Beside one player alone, the main rivals to add.
  function* rivals() {
    const ids = view.all.length === 1 ? view.all[0].player.record.rivals : [];
    if (ids.length) yield "Main rivals:";
    for (const id of ids) {
      const button = element("button", { type: "button" }, compare.players.get(id).name);
      button.addEventListener("click", () => add(id));
      yield button;
    }
  }

  const files = () => chosen().join("_");

  function showChoice() {
    const names = view.all.map((one) => one.label).join(" – ");
    document.querySelector("h1").textContent = names || "Compare";
    document.title = names ? `${names} · ${title}` : title;
    part("who").replaceChildren(...view.all.map(entry));
    part("rivals").replaceChildren(...rivals());
    part("status").textContent = compare.notes(state, view);
    part("sentence").textContent = [compare.sentence(view), compare.metSentence(view)].filter(Boolean).join(" ");
    for (const button of unitButtons()) button.checked = button.value === state.by;
    for (const name of ["from", "to"]) part(name).value = state[name] ?? "";
    part("from").placeholder = view.span[0] ?? "";
    part("to").placeholder = view.span.at(-1) ?? "";
    part("add").disabled = chosen().length >= MOST;
    part("figure").dataset.save = `${files()}.svg`;
  }

  function show() {
    const { players, years, pairs } = root.dataset;
    view = { ...compare.view(state), players, years, pairs };
    showChoice();
    const isEmpty = !view.keys.some((key) => view.shown.some((one) => compare.at(one, key)));
    for (const name of ["figure", "numbers"]) part(name).hidden = isEmpty;
    part("pairs").hidden = view.shown.length < 2;
    part("games").hidden = view.all.length < 2;
    if (!part("games").hidden) part("met").replaceChildren(compare.metTable(view));
    if (isEmpty) return;
    drawChart();
    showCursor();
    part("table").replaceChildren(compare.yearsTable(view));
  }

  async function change(changes) {
    Object.assign(state, { problems: [] }, changes);
    await loaded();
    const isAwaited = chosen().some((id) => !compare.players.get(id).record);
    if (isAwaited) return; // by a later change
    show();
    writeAddress();
  }

  async function add(id) {
    const slots = [...state.slots];
    const free = [...Array(MOST).keys()].find((k) => !slots[k]);
    if (slots.includes(id)) await change({ problems: [`${compare.players.get(id).name} is there already.`] });
    else if (free !== undefined) {
      slots[free] = id;
      await change({ slots });
    }
    (part("add").disabled ? part("copy") : part("add")).focus();
  }

  async function removeSlot(number) {
    const without = (values) => values.map((value, k) => (k === number ? null : value));
    await change({ slots: without(state.slots), years: without(state.years) });
    (part("who").querySelector("button") ?? part("add")).focus();
  }

  async function copyLink() {
    writeAddress();
    const tell = (words) => { part("status").textContent = words; };
    await copy(location.href, tell, "The link is copied.");
  }

  function saveTable() {
    save(new Blob([compare.csv(view)], { type: "text/csv" }), `${files()}.csv`);
  }

  function onPointer(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const key = scale.keyAt(at.x);
    if (key !== compare.cursor(state, view)) moveTo(key);
  }

  function listen() {
    const tell = (words, isShown) => {
      Object.assign(part("found"), { textContent: words, className: isShown ? "aside" : "unseen" });
    };
    compare.choice(part("add"), part("hits"), compare.players, add, tell);
    for (const button of unitButtons()) {
      button.addEventListener("change", () =>
        change({ by: button.value, from: null, to: null, at: null }));
    }
    for (const name of ["from", "to"]) {
      part(name).addEventListener("change", () => change({ [name]: compare.year(part(name).value) }));
    }
    part("copy").addEventListener("click", copyLink);
    part("csv").addEventListener("click", saveTable);
    slider.addEventListener("input", () => moveTo(Number(slider.value)));
    for (const kind of ["pointerdown", "pointermove"]) svg.addEventListener(kind, onPointer);
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth !== width && view?.shown.length) { drawChart(); showCursor(); }
      width = innerWidth;
    });
  }

  // The index of the players calls it, being the last script of the page.
  compare.begin = () => {
    readAddress();
    root.hidden = false;
    listen();
    loaded().then(show);
  };
})();
