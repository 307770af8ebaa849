// What is chosen: the address of the page in, the choice and what is to be shown of it out.
"use strict";

(() => {
  const compare = window.edoCompare;
  const MOST = 6; // more curves cannot be distinguished
  const SHOWN = 40; // letters of an unknown word that a message repeats
  const BOUNDS = ["from", "to", "at"];

  const listed = (names) => names.join("; ");
  const short = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  const year = (text) => (/^-?\d{1,4}$/.test(text ?? "") ? Number(text) : null);

  // `by` is what a key is: "year", "age", or "own" where it counts from the one of the `years` that is chosen for
  // each slot, or from the year of the peak. What cannot be understood is reported in `problems` and left out. `slots` holds the id in each of
  // the six colours, so that no curve changes colour when another is removed.
  function read(search, example) {
    const given = new URLSearchParams(search);
    const wanted = (given.get("p") ?? example).split(",").map((id) => id.trim()).filter(Boolean);
    const different = [...new Set(wanted)];
    const known = different.filter((id) => compare.players.has(id));
    const unknown = different.filter((id) => !compare.players.has(id)).map(short);
    const problems = given.has("p") ? [] : ["An example: add and remove players as you like."];
    if (unknown.length) problems.push(`Not among the rated players: ${listed(unknown.slice(0, MOST))}.`);
    if (known.length > MOST) {
      const names = known.slice(MOST, 2 * MOST).map((id) => compare.players.get(id).name);
      problems.push(`No more than ${MOST} at once; left out: ${listed(names)}.`);
    }
    const bounds = BOUNDS.map((name) => [name, year(given.get(name))]);
    const inYears = (given.get("in") ?? "").split(",").map(year);
    const isOwn = given.has("in") || given.get("by") === "own";
    const by = isOwn ? "own" : given.get("by") === "age" ? "age" : "year";
    const slots = known.slice(0, MOST);
    const years = slots.map((id) => inYears[wanted.indexOf(id)] ?? null);
    return { slots, by, years, problems, ...Object.fromEntries(bounds) };
  }

  // The year from which the keys of a slot count.
  function zeroOf(state, k) {
    const player = compare.players.get(state.slots[k]);
    if (state.by === "year") return 0;
    if (state.by === "age") return player.born;
    const chosen = state.years[k] ?? null;
    const isRated = chosen !== null && chosen >= player.first && chosen <= player.last;
    return isRated ? chosen : compare.peak(player).year;
  }

  function address(state) {
    const parts = [`p=${state.slots.filter(Boolean).join(",")}`];
    if (state.by === "age") parts.push("by=age");
    if (state.by === "own") {
      const chosen = [...state.slots.keys()].filter((k) => state.slots[k]);
      parts.push(`in=${chosen.map((k) => zeroOf(state, k)).join(",")}`);
    }
    for (const name of BOUNDS) if (state[name] !== null) parts.push(`${name}=${state[name]}`);
    return `?${parts.join("&")}`;
  }

  // Surnames, where no two are the same.
  function labels(players) {
    const surnames = players.map((one) => one.name.split(",")[0]);
    const isAlone = (name) => surnames.filter((other) => other === name).length === 1;
    return players.map((one, k) => (isAlone(surnames[k]) ? surnames[k] : one.name));
  }

  // `all` who are chosen, those `shown`, and the `keys` over which: the whole `span` or a part.
  function view(state) {
    const numbers = [...state.slots.keys()].filter((k) => state.slots[k]);
    const players = numbers.map((k) => compare.players.get(state.slots[k]));
    const names = labels(players);
    const all = players.map((player, k) =>
      ({ player, label: names[k], number: numbers[k], zero: zeroOf(state, numbers[k]) }));
    const shown = all.filter(({ zero }) => zero !== null);
    const span = compare.keys(shown);
    const within = span.filter((key) => key >= (state.from ?? key) && key <= (state.to ?? key));
    return { by: state.by, all, shown, span, keys: within.length ? within : span };
  }

  // How much is to be seen at a key: first how many are rated, then how many have results, then how good they were.
  function interest(shown, key) {
    const points = shown.map((one) => compare.at(one, key)).filter(Boolean);
    const played = points.filter((point) => !point.isGap).length;
    return 1e9 * points.length + 1e7 * played + points.reduce((sum, point) => sum + point.rating, 0);
  }

  // The key that the cursor is at: the one asked for, else the chosen years, else that of most interest.
  function cursor(state, { keys, shown, by }) {
    if (keys.includes(state.at)) return state.at;
    if (by === "own" && keys.includes(0)) return 0;
    const found = keys.map((key) => interest(shown, key));
    return keys[found.indexOf(Math.max(...found))];
  }

  // What the reader should know of the choice.
  function notes(state, { all }) {
    const named = (fits) => listed(all.map((one) => one.player).filter(fits).map((one) => one.name));
    const byAge = state.by === "age";
    const missing = byAge ? named((one) => one.born === null) : "";
    const about = byAge ? named((one) => one.isAbout) : "";
    const unrated = all.filter(({ number, zero }) => state.by === "own" && (state.years[number] ?? zero) !== zero)
      .map(({ player, number, zero }) => `${player.name} is not rated in ${state.years[number]}: in ${zero}, at the peak.`);
    return [
      ...state.problems,
      missing && `No year of birth is on record, so left out by age: ${missing}.`,
      ...unrated,
      about && `The year of birth is approximate: ${about}.`,
    ].filter(Boolean).join(" ");
  }

  Object.assign(compare, { MOST, read, address, year, view, cursor, notes, listed });
})();
