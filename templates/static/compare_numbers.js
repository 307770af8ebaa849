// Ratings and correlations of players in; who was the stronger with which probability out.
// Who is compared is { player, zero }: a key counts the years from `zero`, which is 0 by calendar year, the year
// of birth by age, and a chosen year where each has one of their own. The scripts of edo/site/compare_data.py hand
// the players over: `edoCompare.index(...)` all of them, `edoCompare.player(record)` one.
"use strict";

window.edoCompare = (() => {
  const DIGITS = [...Array(94).keys()].map((k) => String.fromCharCode(33 + k))
    .filter((digit) => !"\"'<\\".includes(digit));
  const VALUES = new Map(DIGITS.map((digit, value) => [digit, value]));
  const PLACES = 2; // digits of a correlation
  const STEPS = DIGITS.length ** PLACES - 1;
  const players = new Map(); // by id, in the order of the ids

  let common = null; // what ratings of different years have in common: years, and covariances of each two
  const own = new Map(); // standard errors of those pairs of player-years that other pages show

  const nameOf = (a, b) => [`${a.player.id} ${a.year}`, `${b.player.id} ${b.year}`].sort().join(" ");

  function index({ together, rows, common: found, own: pairs }) {
    common = found;
    for (const [one, year, other, otherYear, deviation] of pairs) {
      own.set(nameOf({ player: { id: one }, year }, { player: { id: other }, year: otherYear }), deviation);
    }
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

  // The numbers of who is compared at a key; null where not rated.
  function at({ player: one, zero }, key) {
    const year = zero + key;
    if (year < one.first || year > one.last) return null;
    const [rating, deviation, rank, score, games] = one.record.years[year - one.first];
    return { player: one, year, rating, deviation, rank, score, games, isGap: games === 0 };
  }

  function decoded(digits) {
    const steps = [...digits].reduce((sum, digit) => sum * DIGITS.length + VALUES.get(digit), 0);
    return (2 * steps) / STEPS - 1;
  }

  // The place at the table of those of a year whose correlations are kept, their number, and the digits.
  function seat({ player: one, year }) {
    const row = one.record.byYear[year - one.first];
    if (!row) return null;
    const [place, number, digits] = row.split(" ");
    return { place: Number(place), number: Number(number), digits };
  }

  // Round the table each keeps the next half of the others; null where one is not at it.
  function correlation(a, b) {
    const [own, next] = [seat(a), seat(b)];
    if (!own || !next) return null;
    const ahead = (next.place - own.place + own.number) % own.number;
    const isOwn = ahead <= Math.floor(own.number / 2);
    const [row, step] = isOwn ? [own.digits, ahead] : [next.digits, own.number - ahead];
    return decoded(row.slice((step - 1) * PLACES, step * PLACES));
  }

  // The shares of the years of `common` in a year: between two of them it is interpolated.
  function shares(year) {
    const { years } = common;
    const within = Math.min(Math.max(year, years[0]), years.at(-1));
    const after = Math.max(years.findIndex((one) => one >= within), 1);
    if (years.length === 1) return [1];
    const part = (within - years[after - 1]) / (years[after] - years[after - 1]);
    return years.map((_, k) => (k === after ? part : k === after - 1 ? 1 - part : 0));
  }

  // The covariance that ratings of two years have in common, whoever the players are.
  function commonPart(year, other) {
    const [rows, columns] = [shares(year), shares(other)];
    return rows.reduce((sum, row, i) =>
      sum + row * columns.reduce((inner, column, j) => inner + column * common.covariance[i][j], 0), 0);
  }

  // The covariance of two ratings: their own in one year, else what their years have in common; null where it is
  // not kept.
  function covariance(a, b) {
    if (a.year !== b.year) return common && { value: commonPart(a.year, b.year), isOwn: false };
    const rho = correlation(a, b);
    return rho === null ? null : { value: rho * a.deviation * b.deviation, isOwn: true };
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
  // their covariance is kept.
  function compared(one, other, key) {
    const [a, b] = [at(one, key), at(other, key)];
    if (!a || !b || one.player === other.player) return null;
    const lead = a.rating - b.rating;
    const known = own.get(nameOf(a, b));
    if (known !== undefined) return { lead, deviation: known, isOwn: true, probability: phi(lead / known) };
    const found = covariance(a, b);
    if (found === null) return null;
    const deviation = Math.sqrt(Math.max(0, a.deviation ** 2 + b.deviation ** 2 - 2 * found.value));
    return { lead, deviation, isOwn: found.isOwn, probability: phi(lead / deviation) };
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
  function keys(shown) {
    const first = Math.min(...shown.map(({ player: one, zero }) => one.first - zero));
    const last = Math.max(...shown.map(({ player: one, zero }) => one.last - zero));
    return shown.length ? [...Array(last - first + 1).keys()].map((k) => first + k) : [];
  }

  return { players, index, player, at, compared, met, peak, share, keys, phi };
})();
