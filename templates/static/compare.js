// The page of comparisons: what is chosen stands in the address, and everything is drawn from it.
"use strict";

(() => {
  const compare = window.edoCompare;
  const { element } = window.edoSearch;
  const MOST = 6; // as many curves as can be told apart
  const REST = 250; // [ms] the cursor rests before the address tells of it: browsers allow few changes
  const root = document.getElementById("compare");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const svg = part("figure").querySelector("svg");
  const slider = part("slider");
  const title = document.title;
  // slots: the id in each of the six colours, so that nobody changes colour when another goes
  const state = { slots: [], byAge: false, from: null, to: null, at: null };
  let view = null;
  let scale = null;
  let problems = [];
  let writing = null;

  const chosen = () => state.slots.filter(Boolean);
  const listed = (names) => names.join("; ");
  const short = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

  function year(text) {
    return /^\d{1,4}$/.test(text ?? "") ? Number(text) : null;
  }

  // The address in, the state out; what cannot be understood is told and left out.
  function readAddress() {
    const given = new URLSearchParams(location.search);
    const wanted = (given.get("p") ?? root.dataset.example).split(",").map((id) => id.trim()).filter(Boolean);
    const different = [...new Set(wanted)];
    const known = different.filter((id) => compare.players.has(id));
    const unknown = different.filter((id) => !compare.players.has(id)).map(short);
    problems = [];
    if (!given.has("p")) problems.push("An example: add and remove players as you like.");
    if (unknown.length) problems.push(`Not among the rated players: ${listed(unknown.slice(0, MOST))}.`);
    if (known.length > MOST) {
      const names = known.slice(MOST, 2 * MOST).map((id) => compare.players.get(id).name);
      problems.push(`No more than ${MOST} at once; left out: ${listed(names)}.`);
    }
    state.slots = known.slice(0, MOST);
    state.byAge = given.get("by") === "age";
    for (const name of ["from", "to", "at"]) state[name] = year(given.get(name));
  }

  function writeAddress() {
    const parts = [`p=${chosen().join(",")}`];
    if (state.byAge) parts.push("by=age");
    for (const name of ["from", "to", "at"]) if (state[name] !== null) parts.push(`${name}=${state[name]}`);
    history.replaceState(null, "", `?${parts.join("&")}`);
  }

  // fetch() may not read files from the disk; a script element may.
  function loaded(id) {
    const player = compare.players.get(id);
    if (player.record) return Promise.resolve();
    return new Promise((done) => {
      const script = element("script", { src: `${id}.js` });
      script.onload = script.onerror = () => {
        script.remove();
        if (!player.record) {
          problems.push(`${player.name} could not be loaded.`);
          state.slots = state.slots.map((one) => (one === id ? null : one));
        }
        done();
      };
      document.head.append(script);
    });
  }

  // Surnames, where no two are the same.
  function labels(players) {
    const surnames = players.map((one) => one.name.split(",")[0]);
    const isAlone = (name) => surnames.filter((other) => other === name).length === 1;
    return players.map((one, k) => (isAlone(surnames[k]) ? surnames[k] : one.name));
  }

  function makeView() {
    const numbers = [...state.slots.keys()].filter((k) => state.slots[k]);
    const players = numbers.map((k) => compare.players.get(state.slots[k]));
    const names = labels(players);
    const all = players.map((player, k) => ({ player, label: names[k], number: numbers[k] }));
    const shown = all.filter(({ player }) => !state.byAge || player.born !== null);
    const span = compare.keys(shown.map((one) => one.player), state.byAge);
    const within = span.filter((key) => key >= (state.from ?? key) && key <= (state.to ?? key));
    const keys = within.length ? within : span;
    const { players: folder, years } = root.dataset;
    return { ...state, all, shown, keys, span, players: folder, years };
  }

  // The key that the cursor is at: the one asked for, else the last at which most are rated.
  function cursor() {
    if (view.keys.includes(state.at)) return state.at;
    const many = view.keys.map((key) => view.shown.filter((one) => compare.at(one.player, key, state.byAge)).length);
    return view.keys[many.lastIndexOf(Math.max(...many))];
  }

  function pointsOf(player) {
    const found = view.keys.map((key) => ({ key, ...compare.at(player, key, state.byAge) }));
    return found.filter((point) => point.player);
  }

  function words() {
    const names = listed(view.shown.map((one) => one.player.name));
    const unit = state.byAge ? "ages" : "years";
    return `Rating curves of ${names} over the ${unit} ${view.keys[0]} to ${view.keys.at(-1)}; all numbers stand in the table below`;
  }

  function drawChart() {
    const curves = view.shown.map(({ player, label, number }) => ({ points: pointsOf(player), label, number }))
      .filter((curve) => curve.points.length);
    scale = compare.draw(svg, view.keys, curves, words());
    const edge = (x) => `${x.toFixed(1)}px`;
    const [first, last] = [scale.x(view.keys[0]), scale.x(view.keys.at(-1))];
    slider.hidden = view.keys.length < 2;
    Object.assign(slider, { min: view.keys[0], max: view.keys.at(-1) });
    slider.setAttribute("aria-label", state.byAge ? "Age" : "Year");
    slider.style.marginLeft = `calc(${edge(first)} - var(--thumb) / 2)`;
    slider.style.width = `calc(${edge(last - first)} + var(--thumb))`;
  }

  function showCursor() {
    const key = cursor();
    slider.value = key;
    const points = view.shown.map(({ player }) => compare.at(player, key, state.byAge)).filter(Boolean);
    compare.mark(svg, scale, key, points);
    part("readout").replaceChildren(...compare.readout(view, key));
    part("matrix").replaceChildren(compare.matrix(view, key));
    part("when").textContent = state.byAge ? `at ${key}` : `in ${key}`;
  }

  function moveTo(key) {
    const first = view.keys[0];
    state.at = Math.max(first, Math.min(view.keys.at(-1), key));
    showCursor();
    clearTimeout(writing);
    writing = setTimeout(writeAddress, REST);
  }

  function entry({ player, number }) {
    const link = element("a", { href: compare.playerPage(view, player) }, player.name);
    const remove = element("button", { type: "button", "aria-label": `Remove ${player.name}` }, "×");
    remove.addEventListener("click", () => removeSlot(number));
    const isLeftOut = state.byAge && player.born === null;
    const item = element("li", {}, compare.badge(number), link, remove);
    if (isLeftOut) link.after(" (no year of birth)");
    return item;
  }

  function notes() {
    const named = (fits) => listed(view.all.map((one) => one.player).filter(fits).map((one) => one.name));
    const missing = state.byAge ? named((one) => one.born === null) : "";
    const about = state.byAge ? named((one) => one.isAbout) : "";
    return [
      ...problems,
      missing && `No year of birth is on record, so left out by age: ${missing}.`,
      about && `The year of birth is only about: ${about}.`,
    ].filter(Boolean);
  }

  function show() {
    view = makeView();
    const names = view.all.map((one) => one.label).join(" – ");
    document.querySelector("h1").textContent = names || "Compare";
    document.title = names ? `${names} · ${title}` : title;
    part("who").replaceChildren(...view.all.map(entry));
    part("status").textContent = notes().join(" ");
    part("sentence").textContent = compare.sentence(view);
    for (const radio of root.querySelectorAll("[name=by]")) radio.checked = (radio.value === "age") === state.byAge;
    for (const name of ["from", "to"]) {
      part(name).value = state[name] ?? "";
      part(name).placeholder = (name === "from" ? view.span[0] : view.span.at(-1)) ?? "";
    }
    part("add").disabled = chosen().length >= MOST;
    part("figure").dataset.save = `${chosen().join("_")}.svg`;
    const isEmpty = !view.shown.length;
    for (const name of ["figure", "numbers"]) part(name).hidden = isEmpty;
    part("pairs").hidden = view.shown.length < 2;
    if (isEmpty) return;
    drawChart();
    showCursor();
    part("table").replaceChildren(compare.yearsTable(view));
  }

  async function change() {
    await Promise.all(chosen().map(loaded));
    show();
    writeAddress();
  }

  function add(id) {
    problems = [];
    if (chosen().includes(id)) problems = [`${compare.players.get(id).name} is there already.`];
    else if (chosen().length < MOST) {
      const free = [...Array(MOST).keys()].find((k) => !state.slots[k]);
      state.slots[free] = id;
    }
    change().then(() => part("add").focus());
  }

  function removeSlot(number) {
    problems = [];
    state.slots[number] = null;
    change().then(() => (part("who").querySelector("button") ?? part("add")).focus());
  }

  function setUnit(byAge) {
    problems = [];
    Object.assign(state, { byAge, from: null, to: null, at: null });
    change();
  }

  function setSpan() {
    problems = [];
    for (const name of ["from", "to"]) state[name] = year(part(name).value);
    change();
  }

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      part("status").textContent = "The link is copied.";
    } catch {
      part("status").textContent = `The link: ${location.href}`;
    }
  }

  function saveTable() {
    const href = URL.createObjectURL(new Blob([compare.csv(view)], { type: "text/csv" }));
    element("a", { href, download: `${chosen().join("_")}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  function onPointer(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const key = scale.keyAt(at.x);
    if (key !== cursor()) moveTo(key);
  }

  function listen() {
    compare.choice(part("add"), part("hits"), compare.players, add, (text) => { part("found").textContent = text; });
    for (const radio of root.querySelectorAll("[name=by]")) {
      radio.addEventListener("change", () => setUnit(radio.value === "age"));
    }
    for (const name of ["from", "to"]) part(name).addEventListener("change", setSpan);
    part("copy").addEventListener("click", copyLink);
    part("csv").addEventListener("click", saveTable);
    slider.addEventListener("input", () => moveTo(Number(slider.value)));
    for (const kind of ["pointerdown", "pointermove"]) svg.addEventListener(kind, onPointer);
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth !== width && view?.shown.length) { drawChart(); showCursor(); }
      width = innerWidth;
    });
    addEventListener("popstate", () => { readAddress(); change(); });
  }

  compare.begin = () => {
    readAddress();
    root.hidden = false;
    listen();
    Promise.all(chosen().map(loaded)).then(show);
  };
})();
