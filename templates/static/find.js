"use strict";
/* Finds the names that answer a query best: `edoFind(query)`. Loaded with names.js when somebody
   begins to search. Who played where is in a script of each decade: `edoFind.decade(query)` says
   which one a query needs. */

window.edoFind = (() => {
  const names = window.edoNames;
  const { kebab, personKebab } = window.edoFolding;
  const PREFIXES = new Set(["d", "da", "de", "del", "di", "du", "la", "le", "mac", "o", "van", "von"]);
  const WORD_FROM = 3; // letters; fewer are rather the beginning of a longer word
  const TYPO_FROM = 4; // letters of a word in which one error is forgiven
  const PART_FROM = 6; // letters of a word that with an error may be the beginning of a longer one
  const FEW = 5; // with fewer hits than these, errors in typing are forgiven
  // How well a word fits a word of a name, best first.
  const [WHOLE, START, INSIDE, TYPO, NOT] = [0, 1, 2, 7, Infinity];
  const SPELLING = 3.5; // what a hit by another spelling is worse by than one by the name
  // Letters by which the same sound is written from one language to the other, in this order.
  const SOUNDS = [
    ["tsch", "ch"], ["tch", "ch"], ["kh", "ch"], ["sch", "sh"], ["lj", "l"], ["ly", "l"],
    ["w", "v"], ["f", "v"], ["j", "i"], ["y", "i"],
  ];
  const SAINTS = { st: "saint", saint: "st", sankt: "st" };

  const played = new Map(); // by year: the numbers of an event and of those who took part
  window.edoPlayed = (years) => {
    for (const [year, events] of Object.entries(years)) played.set(year, events);
  };

  /* The words of a text; McDonnell and MacDonnell are one. */
  const words = (text) => window.edoFolding.words(text).map((word) => word.replace(/^mc/, "mac"));

  /* Words as they may also be written together: Labourdonnais, MacDonnell, Vanderlinde. */
  const together = (text) => text.slice(1)
    .flatMap((word, k) => (PREFIXES.has(text[k]) ? [text[k] + word] : []));

  /* Whether the word has one letter too many, too few, wrong, or two changed about. */
  function isOneErrorFrom(word, other, isBeginning) {
    let at = 0;
    while (at < word.length && word[at] === other[at]) at += 1;
    const rest = (from, to) =>
      (isBeginning ? other.startsWith(word.slice(at + from), at + to) : other.slice(at + to) === word.slice(at + from));
    const swapped = word[at] === other[at + 1] && word[at + 1] === other[at];
    return rest(1, 1) || rest(1, 0) || rest(0, 1) || (swapped && rest(2, 2));
  }

  /* The French e at the end, as in Tchigorine, is not heard. */
  function sound(word) {
    const said = word.length > PART_FROM ? word.replace(/e$/, "") : word;
    return SOUNDS.reduce((all, [written, letter]) => all.replaceAll(written, letter), said);
  }

  function fit(word, other, forgiving) {
    const isWhole = other.length === word.length && word.length >= WORD_FROM;
    if (other.startsWith(word)) return isWhole ? WHOLE : START;
    if (word.length > 1 && other.includes(word)) return INSIDE;
    const canErr = forgiving && word.length >= TYPO_FROM && !/\p{N}/u.test(word);
    const isNear = () =>
      isOneErrorFrom(word, other, word.length >= PART_FROM) || sound(other).startsWith(sound(word));
    return canErr && isNear() ? TYPO : NOT;
  }

  /* How well a text answers the query: lower is better, NOT is no answer. */
  function rank(query, text, forgiving) {
    let worst = WHOLE;
    let first = 0.5; // better where the name begins with what was asked
    for (const word of query) {
      let best = NOT;
      text.forEach((other, place) => {
        const found = fit(word, other, forgiving);
        if (place <= text.beginning && found < INSIDE) first = 0;
        best = Math.min(best, found);
      });
      for (const other of text.together) {
        const found = fit(word, other, forgiving);
        if (found < INSIDE) first = 0;
        best = Math.min(best, found);
      }
      if (best === NOT) return NOT;
      worst = Math.max(worst, best);
    }
    const isSame = query.length > 1 && query.join() === text.join(); // even with a short word
    const isAll = isSame || (worst === WHOLE && query.length === text.length);
    return isAll ? -1 : worst + first;
  }

  /* The id of a name that is given none; made_id() in edo/site/search_data.py is the same. */
  function idOf(kind, name) {
    return kind.one === "player" ? personKebab(name) : kebab(name.replace(" match", ""));
  }

  function entryOf(kind, place, [name, id, beside, ...spellings]) {
    const isEvent = kind.folder === "events/";
    const textOf = (text) => {
      const all = words(text);
      // Behind a `de la`; anywhere in a match, as either side may be named first.
      const beginning = kind.one === "match" ? Infinity : all.findIndex((word) => !PREFIXES.has(word));
      return Object.assign(all, { together: together(all), beginning });
    };
    return {
      kind, name, beside, spellings, place,
      path: `${kind.folder}${id.includes(".html") ? id : `${id || idOf(kind, name)}.html`}`,
      texts: [textOf(`${name} ${isEvent ? beside : ""}`), ...spellings.map(textOf)],
    };
  }

  /* All that can be found, in the order in which equals are shown. */
  const entries = names.kinds.flatMap(([one, many, folder, rows]) => {
    const kind = { one, many, folder };
    return rows.map((row, place) => entryOf(kind, place, row));
  });
  const events = entries.filter((entry) => entry.kind.folder === "events/");
  const places = entries.filter((entry) => entry.kind.folder === "places/");

  /* The hit of an entry: `also` is the spelling by which it was found, if not by its name. */
  function hitOf(entry, query, forgiving) {
    let best = { rank: NOT };
    entry.texts.forEach((text, number) => {
      const found = rank(query, text, forgiving);
      const ranked = found + (number ? SPELLING : 0);
      if (ranked < best.rank) best = { rank: ranked, also: entry.spellings[number - 1] };
    });
    return { ...entry, ...best };
  }

  function hits(query, forgiving) {
    const found = entries.map((entry) => hitOf(entry, query, forgiving));
    return found.filter((hit) => hit.rank < NOT).sort((a, b) => a.rank - b.rank);
  }

  /* Who finds the whole words typed has made no error. */
  function find(query) {
    const found = hits(query, false);
    return found.length >= FEW || found.some((hit) => hit.rank < START) ? found : hits(query, true);
  }

  const yearIn = (query) => query.find((word) => /^[12]\d{3}$/.test(word));

  /* Of a name and a year: the players of the name who lived then; `at` is the line of the year. */
  function playersIn(query) {
    const year = yearIn(query);
    const name = query.filter((word) => word !== year);
    if (!year || !name.length) return [];
    const players = find(name).filter((hit) => hit.kind.one === "player" && livedIn(hit, year));
    return players.map((hit) => ({ ...hit, at: `#y${year}` }));
  }

  /* The events of that year in which one of these players took part. */
  function eventsOf(players, query) {
    return (played.get(yearIn(query)) ?? []).flatMap(([number, ...present]) => {
      const player = players.find(({ place }) => present.includes(place));
      return player ? [{ ...events[number], beside: `with ${player.name}` }] : [];
    });
  }

  /* What stands beside a player are the years of the life or of the events: one may be missing. */
  function livedIn({ beside }, year) {
    const years = beside.match(/\d{4}/g) ?? [year];
    const from = beside.startsWith("d.") ? year : years[0];
    const to = beside.startsWith("b.") ? year : years.at(-1);
    return from <= year && year <= to;
  }

  /* Of a place and a year: the place, its events of the year only if there are any; and the year. */
  function placesIn(query, hasEvents) {
    const year = yearIn(query);
    const name = query.filter((word) => word !== year);
    if (!year || !name.length) return [];
    const of = (words, folder) => hits(words, false)
      .filter((hit) => hit.kind.folder === folder && hit.rank <= WHOLE + (hit.also ? SPELLING : 0));
    const at = hasEvents ? `?from=${year}&to=${year}` : "";
    const places = of(name, "places/")
      .map((hit) => ({ ...hit, at, beside: hasEvents ? `its events of ${year}` : hit.beside }));
    return places.length ? [...places, ...of([year], "years/")] : [];
  }

  /* What is found by another way to write the query. */
  function others(query) {
    const ways = [query.map((word) => SAINTS[word] ?? word)];
    const mac = query.findIndex((word, k) => word === "mac" && k + 1 < query.length);
    if (mac >= 0) ways.push(query.toSpliced(mac, 2, query[mac] + query[mac + 1]));
    const found = ways.filter((way) => way.join() !== query.join()).flatMap(find);
    return [...found, ...renamed(query)];
  }

  /* What is found by the name that a place has here, where another one was typed. */
  function renamed(query) {
    return places.flatMap((entry) => {
      const other = entry.texts.slice(1).find((name) => name.every((word) => query.includes(word)));
      if (!other) return [];
      const way = [...query.filter((word) => !other.includes(word)), ...words(entry.name)];
      return hits(way, false).map((hit) => ({ ...hit, rank: hit.rank + SPELLING }));
    });
  }

  const pairsIn = window.edoFindPairs({
    fit, words, hitOf, entries, met: names.met, rated: names.rated, none: NOT, inside: INSIDE,
  });

  function answers(text) {
    const query = words(text);
    if (!query.length) return [];
    const named = find(query);
    const other = others(query);
    const found = [...named, ...other, ...pairsIn(text, named)];
    found.sort((a, b) => a.rank - b.rank);
    const players = playersIn(query);
    found.push(...players, ...placesIn(query, named.length + other.length > 0), ...eventsOf(players, query));
    const first = new Map(found.toReversed().map((hit) => [hit.path, hit]));
    return found.filter((hit) => first.get(hit.path) === hit);
  }

  /* The decade whose events a name and a year ask for, if any. */
  function decade(text) {
    const query = words(text);
    const asked = Math.floor(Number(yearIn(query)) / 10) * 10;
    return names.decades.includes(asked) && playersIn(query).length ? asked : null;
  }

  return Object.assign(answers, { decade });
})();
