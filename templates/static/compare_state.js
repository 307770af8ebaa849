// What is chosen: the address of the page in, the choice and what is to be shown of it out.
"use strict";

(() => {
  const compare = window.edoCompare;
  const MOST = 6; // more curves cannot be distinguished
  const SHOWN = 40; // letters of an unknown word that a message repeats
  const BOUNDS = ["from", "to", "at"];

  const listed = (names) => names.join("; ");
  const short = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  const year = (text) => (/^\d{1,4}$/.test(text ?? "") ? Number(text) : null);

  // What cannot be understood is reported in `problems` and left out. `slots` holds the id in each of
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
    const byAge = given.get("by") === "age";
    return { slots: known.slice(0, MOST), byAge, problems, ...Object.fromEntries(bounds) };
  }

  function address(state) {
    const parts = [`p=${state.slots.filter(Boolean).join(",")}`];
    if (state.byAge) parts.push("by=age");
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
    const all = players.map((player, k) => ({ player, label: names[k], number: numbers[k] }));
    const shown = all.filter(({ player }) => !state.byAge || player.born !== null);
    const span = compare.keys(shown.map((one) => one.player), state.byAge);
    const within = span.filter((key) => key >= (state.from ?? key) && key <= (state.to ?? key));
    return { byAge: state.byAge, all, shown, span, keys: within.length ? within : span };
  }

  // The key that the cursor is at: the one asked for, else the last at which most are rated.
  function cursor(state, { keys, shown, byAge }) {
    if (keys.includes(state.at)) return state.at;
    const many = keys.map((key) => shown.filter((one) => compare.at(one.player, key, byAge)).length);
    return keys[many.lastIndexOf(Math.max(...many))];
  }

  // What the reader should know of the choice.
  function notes(state, { all }) {
    const named = (fits) => listed(all.map((one) => one.player).filter(fits).map((one) => one.name));
    const missing = state.byAge ? named((one) => one.born === null) : "";
    const about = state.byAge ? named((one) => one.isAbout) : "";
    return [
      ...state.problems,
      missing && `No year of birth is on record, so left out by age: ${missing}.`,
      about && `The year of birth is approximate: ${about}.`,
    ].filter(Boolean).join(" ");
  }

  Object.assign(compare, { MOST, read, address, year, view, cursor, notes, listed });
})();
