// Ratings and correlations of players in; who was the stronger with which probability out.
// A key is a calendar year or, where comparing by age, an age. The scripts of edo/site/compare_data.py
// hand the players over: `edoCompare.index(...)` all of them, `edoCompare.player(record)` one.
"use strict";

window.edoCompare = (() => {
  const DIGITS = [...Array(94).keys()].map((k) => String.fromCharCode(33 + k))
    .filter((digit) => !"\"'<\\".includes(digit));
  const VALUES = new Map(DIGITS.map((digit, value) => [digit, value]));
  const PLACES = 3; // digits of a correlation
  const STEPS = DIGITS.length ** PLACES - 1;
  const players = new Map(); // by id, in the order of the ids

  function index({ together, rows }) {
    rows.forEach(([given, name, first, last, born, isAbout], place) => {
      const id = given || window.edoFolding.personKebab(name);
      const file = `players_${Math.floor(place / together) + 1}.js`;
      players.set(id, { id, name, first, last, born, isAbout: Boolean(isAbout), file, record: null });
    });
    window.edoCompare.begin();
  }

  function player(record) {
    const known = players.get(record.id);
    if (known) known.record = record;
  }

  // The year of the player that a key means; null where there is none.
  function yearOf(one, key, byAge) {
    if (byAge && one.born === null) return null;
    const year = byAge ? one.born + key : key;
    return year >= one.first && year <= one.last ? year : null;
  }

  // The player's numbers at a key; null where he is not rated.
  function at(one, key, byAge) {
    const year = yearOf(one, key, byAge);
    if (year === null) return null;
    const [rating, deviation, rank, score, games] = one.record.years[year - one.first];
    return { player: one, year, rating, deviation, rank, score, games, isGap: games === 0 };
  }

  function decoded(digits) {
    const steps = [...digits].reduce((sum, digit) => sum * DIGITS.length + VALUES.get(digit), 0);
    return (2 * steps) / STEPS - 1;
  }

  // The place at the table of those whose correlations are kept, their number, and the digits.
  function seat(one, key, byAge) {
    const row = (byAge ? one.record.byAge : one.record.byYear)[yearOf(one, key, byAge) - one.first];
    if (!row) return null;
    const [place, number, digits] = row.split(" ");
    return { place: Number(place), number: Number(number), digits };
  }

  // Round the table each keeps the next half of the others; null where one is not at it.
  function correlation(one, other, key, byAge) {
    const [own, next] = [seat(one, key, byAge), seat(other, key, byAge)];
    if (!own || !next) return null;
    const ahead = (next.place - own.place + own.number) % own.number;
    const isOwn = ahead <= Math.floor(own.number / 2);
    const [row, step] = isOwn ? [own.digits, ahead] : [next.digits, own.number - ahead];
    return decoded(row.slice((step - 1) * PLACES, step * PLACES));
  }

  // The normal distribution function, by its series about 0 (Marsaglia 2004).
  function phi(z) {
    if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
    let [sum, term] = [z, z];
    for (let n = 3; sum + term !== sum; n += 2) {
      term *= (z * z) / n;
      sum += term;
    }
    return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  }

  // By how much one was ahead of the other at a key, and how probably; null unless both are rated and
  // their correlation is kept.
  function compared(one, other, key, byAge) {
    const [a, b] = [at(one, key, byAge), at(other, key, byAge)];
    if (!a || !b || one === other) return null;
    const rho = correlation(one, other, key, byAge);
    if (rho === null) return null;
    const lead = a.rating - b.rating;
    const common = 2 * rho * a.deviation * b.deviation;
    const deviation = Math.sqrt(Math.max(0, a.deviation ** 2 + b.deviation ** 2 - common));
    return { lead, deviation, rho, probability: phi(lead / deviation) };
  }

  // The rated games of two players, from the first one's side; null where they never met. They stand
  // in the script of the first of them by id.
  function met(one, other) {
    const isFirst = one.id < other.id;
    const [owner, rival] = isFirst ? [one, other] : [other, one];
    const found = owner.record.met[rival.id];
    if (!found) return null;
    const [points, games, predicted, page] = found;
    const hasPage = Boolean(page);
    return isFirst
      ? { points, games, predicted, hasPage }
      : { points: games - points, games, predicted: games - predicted, hasPage };
  }

  // The highest rating in a year with results, among the ranked years if there are any.
  function peak(one) {
    const years = one.record.years.map(([rating, deviation, rank, , games], k) =>
      ({ year: one.first + k, rating, deviation, rank, games })).filter((year) => year.games > 0);
    const ranked = years.filter((year) => year.rank !== null);
    return (ranked.length ? ranked : years).reduce((best, year) => (year.rating > best.rating ? year : best));
  }

  // The share of the points that a difference of ratings [Elo] predicts.
  const share = (difference) => 1 / (1 + 10 ** (-difference / 400));

  // All keys at which somebody is rated, from the first to the last.
  function keys(chosen, byAge) {
    const born = (one) => (byAge ? one.born : 0);
    const first = Math.min(...chosen.map((one) => one.first - born(one)));
    const last = Math.max(...chosen.map((one) => one.last - born(one)));
    return chosen.length ? [...Array(last - first + 1).keys()].map((k) => first + k) : [];
  }

  return { players, index, player, yearOf, at, compared, met, peak, share, keys, phi };
})();
