// Says in words, tables and CSV what the curves show. In: what is chosen. Out: parts of the page.
"use strict";

(() => {
  const { at, compared, met, peak, share } = window.edoCompare;
  const { whole, signed, rated, chance, pointsOfGames } = window.edoNumbers;
  const { element } = window.edoDom;
  const [LIKELY, SURE] = [0.745, 0.945]; // tinted from what is shown as 75%, bold from 95%

  const cell = (name, words, properties = {}) => element(name, properties, words);
  const head = (words, scope = "col", className = "num") => element("th", { scope, className }, words);
  const link = (href, words) => element("a", { href }, words);

  function table(className, heads, rows) {
    const top = element("thead", {}, ...heads.map((cells) => element("tr", {}, ...cells)));
    const body = element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells)));
    return element("table", { className }, top, body);
  }

  const yearPage = (view, year) => `${view.years}${String(year).padStart(4, "0")}.html`;
  const playerPage = (view, one, year) => `${view.players}${one.id}.html${year ? `#y${year}` : ""}`;

  // The keys at which somebody is rated: between careers far apart there are others.
  function filled(view) {
    return view.keys.filter((key) => view.shown.some((one) => at(one, key)));
  }

  const years = (number) => (number === 1 ? "1 year" : `${number} years`);

  // A key in words, as at the beginning of a sentence.
  function moment(view, key) {
    if (view.by === "age") return `At the age of ${key}`;
    if (view.by === "year") return String(key);
    return key ? `${years(Math.abs(key))} ${key > 0 ? "later" : "earlier"}` : "In the chosen years";
  }

  // The same after a question.
  const when = (view, key) => ({
    age: `at ${key}`, year: `in ${key}`, own: key ? moment(view, key) : "in the chosen years",
  })[view.by];

  // What is known of each player at the key.
  function* readout(view, key) {
    yield element("strong", {}, moment(view, key));
    for (const one of view.shown) {
      const { player, label, number } = one;
      const it = at(one, key);
      const item = element("span", { className: "reading" }, window.edoCompare.badge(number), " ");
      if (!it) item.append(`${label}: not rated`);
      else {
        const year = view.by === "year" ? "" : ` in ${it.year}`;
        const games = it.isGap ? "no results" : `scored ${pointsOfGames(it.score, it.games)}`;
        item.append(link(playerPage(view, player, it.year), label));
        const rank = it.rank ? `rank ${it.rank}` : "not ranked";
        item.append(`${year}: ${rated(it)}, ${rank}, ${games}`);
      }
      yield item;
    }
  }

  function chanceCell(one, other, key) {
    if (one === other) return cell("td", "", { className: "self" });
    const found = compared(one, other, key);
    if (!found) return cell("td", "–", { className: "num" });
    const { probability, lead, deviation } = found;
    const kind = probability >= SURE ? "likely sure" : probability >= LIKELY ? "likely" : "";
    const words = [`${signed(lead)} (${whole(deviation)})`, `scores ${chance(share(lead))}`];
    return element("td", { className: `num ${kind}` }, chance(probability), ...words.flatMap(below));
  }

  const below = (words) => [element("br"), element("span", { className: "aside" }, words)];

  const pairPage = (view, ...ids) => `${view.pairs}${ids.sort().join("-v-")}.html`;

  // What one scored against the other in rated games; of those without any, what their peaks predict.
  function metCell(view, { player: one }, { player: other }) {
    if (one === other) return cell("td", "", { className: "self" });
    const games = met(one, other);
    if (!games) {
      const words = `peaks: ${chance(share(peak(one).rating - peak(other).rating))}`;
      return element("td", { className: "num gap" }, "no game", ...below(words));
    }
    const { points, predicted, hasPage } = games;
    const page = hasPage ? pairPage(view, one.id, other.id) : `${playerPage(view, one)}#record`;
    const words = pointsOfGames(points, games.games);
    return element("td", { className: "num" }, link(page, words), ...below(`expected ${predicted.toFixed(2)}`));
  }

  // The rated games of each against each, in all years.
  function metTable(view) {
    const rows = view.all.map((one) => [
      element("th", { scope: "row", className: "name" }, one.label),
      ...view.all.map((other) => metCell(view, one, other)),
    ]);
    return table("superiority", [[head("Player", "col", "name"), ...view.all.map((one) => head(one.label))]], rows);
  }

  // Two players against each other in words: their games, or what their peaks predict.
  function metSentence(view) {
    if (view.all.length !== 2) return "";
    const [a, b] = view.all;
    const games = met(a.player, b.player);
    if (games) {
      return `In rated games against ${b.label}, ${a.label} scored ${pointsOfGames(games.points, games.games)}; ` +
        `the ratings of each year predict ${games.predicted.toFixed(2)}.`;
    }
    const [best, other] = [peak(a.player), peak(b.player)];
    return `No rated game of the two is on record. At their peaks, ${a.label} with ${rated(best)} in ${best.year} and ` +
      `${b.label} with ${rated(other)} in ${other.year}, the ratings predict that ${a.label} would score ` +
      `${chance(share(best.rating - other.rating))} of the points.`;
  }

  // Who was stronger at a key: everybody rated then against everybody.
  function matrix(view, key) {
    const present = view.shown.filter((one) => at(one, key));
    if (present.length < 2) return element("p", { className: "aside" }, "Fewer than two of them are rated.");
    const heads = [head("Player", "col", "name"), ...present.map((one) => head(one.label))];
    const rows = present.map((one) => [
      element("th", { scope: "row", className: "name" }, one.label),
      ...present.map((other) => chanceCell(one, other, key)),
    ]);
    return table("superiority", [heads], rows);
  }

  function yearCells(view, one, key) {
    const it = at(one, key);
    const kind = it?.isGap ? "num gap" : "num";
    const cells = it ? [rated(it), String(it.rank ?? "–")] : ["", ""];
    if (view.by !== "year") cells.unshift(it ? link(yearPage(view, it.year), String(it.year)) : "");
    return cells.map((words) => cell("td", words, { className: kind }));
  }

  function pairCells([one, other], key) {
    const found = compared(one, other, key);
    const words = found
      ? [chance(found.probability), `${signed(found.lead)} (${whole(found.deviation)})`] : ["", ""];
    return words.map((text) => cell("td", text, { className: "num" }));
  }

  // Year by year or age by age: ratings and ranks of all; of two also who was the stronger.
  function yearsTable(view) {
    const isPair = view.shown.length === 2;
    const parts = [...(view.by === "year" ? [] : ["Year"]), "Rating (dev.)", "Rank"];
    const unit = { year: "Year", age: "Age", own: "Years later" }[view.by];
    const group = (words, colSpan) => element("th", { scope: "colgroup", colSpan, className: "mid" }, words);
    const first = element("th", { scope: "col", rowSpan: 2, className: "num" }, unit);
    const top = [first, ...view.shown.map((one) => group(one.label, parts.length))];
    const heads = [top, view.shown.flatMap(() => parts.map((words) => head(words)))];
    if (isPair) {
      top.push(group(`${view.shown[0].label} ahead of ${view.shown[1].label}`, 2));
      heads[1].push(head("Stronger"), head("Lead (dev.)"));
    }
    const rows = filled(view).map((key) => [
      element("th", { scope: "row", className: "num" },
        view.by === "year" ? link(yearPage(view, key), String(key)) : String(key)),
      ...view.shown.flatMap((one) => yearCells(view, one, key)),
      ...(isPair ? pairCells(view.shown, key) : []),
    ]);
    return table("years", heads, rows);
  }

  // Of the keys at which one was the likelier to be stronger: how many, and when most clearly.
  function side(view, name, ahead) {
    if (!ahead.length) return "";
    const best = ahead.reduce((most, one) => (one.p > most.p ? one : most));
    return `${name}, most clearly ${view.by === "age" ? "at" : "in"} ${best.key} (${chance(best.p)})`;
  }

  // What the standard errors of differences between years are, where one of those found is such a one.
  function basis(found) {
    if (found.every(({ isOwn }) => isOwn)) return "";
    const error = found.length > 1 ? "Between different years, standard errors of differences take" : "The standard error of the difference takes";
    return ` ${error} into account what all players of the two years have in common, not what these two have beyond it,` +
      " which matters only if their years are close.";
  }

  // Two players, each in a chosen year.
  function chosenSentence(a, b) {
    const found = compared(a, b, 0);
    if (!found) return "";
    const [one, other] = [a, b].map((of) => `${of.label} in ${of.zero}, ${rated(at(of, 0))},`);
    const [likelier, p] = found.probability < 0.5 ? [b, 1 - found.probability] : [a, found.probability];
    return `${one} against ${other.slice(0, -1)}: the probability that ${likelier.label} was the stronger is ${chance(p)}; ` +
      `the lead of ${a.label} is ${signed(found.lead)} (${whole(found.deviation)}).${basis([found])}`;
  }

  function sentence(view) {
    if (view.shown.length !== 2) return "";
    const [a, b] = view.shown;
    if (view.by === "own") return chosenSentence(a, b);
    const of = (key) => compared(a, b, key);
    const byAge = view.by === "age";
    const both = view.keys.filter(of).map((key) => ({ key, p: of(key).probability }));
    const unit = byAge ? ["age", "ages"] : ["year", "years"];
    if (!both.length) {
      const way = byAge ? "" : " They can be compared by age if their years of birth are known.";
      const isRated = view.keys.some((key) => at(a, key) && at(b, key));
      const none = `There is no ${unit[0]} ${byAge ? "at" : "in"} which both`;
      if (isRated) return `${none} have a rank. In large lists probabilities are computed only for those who have one.`;
      return `${none} are rated.${way}`;
    }
    const ahead = [
      [a, both.filter(({ p }) => p >= 0.5)],
      [b, both.filter(({ p }) => p < 0.5).map(({ key, p }) => ({ key, p: 1 - p }))],
    ].sort((one, other) => other[1].length - one[1].length);
    const [[one, most], [other, rest]] = ahead;
    const share = rest.length ? `${most.length} of the ${both.length}` : `all ${both.length}`;
    const when = both.length === 1 ? `the one ${unit[0]}` : `${share} ${unit[1]}`;
    const [In, where] = byAge ? ["At", "at"] : ["In", "in"];
    const begin = `${In} ${when} ${where} which both are rated, the stronger was probably`;
    const end = rest.length ? `; ${where} the other ${rest.length === 1 ? "one" : rest.length}, ${side(view, other.label, rest)}` : "";
    return `${begin} ${side(view, one.label, most)}${end}.${basis(both.map(({ key }) => of(key)))}`;
  }

  // The whole table as CSV, with what every two have to do with each other.
  function csv(view) {
    const { shown } = view;
    const pairs = shown.flatMap((one, k) => shown.slice(k + 1).map((other) => [one, other]));
    const parts = ["year", "rating", "deviation", "rank", "score", "games"];
    const top = [
      { year: "year", age: "age", own: "years later" }[view.by],
      ...shown.flatMap(({ player: one }) => parts.map((part) => `${one.id} ${part}`)),
      ...pairs.flatMap(([{ player: one }, { player: other }]) =>
        ["probability", "lead", "deviation"].map((part) => `${one.id} stronger than ${other.id} ${part}`)),
    ];
    const numbers = (it) => it
      ? [it.year, it.rating.toFixed(1), it.deviation.toFixed(1), it.rank ?? "", it.score, it.games]
      : parts.map(() => "");
    const chances = (found) => found
      ? [found.probability.toFixed(4), found.lead.toFixed(1), found.deviation.toFixed(1)] : ["", "", ""];
    const rows = filled(view).map((key) => [
      key,
      ...shown.flatMap((one) => numbers(at(one, key))),
      ...pairs.flatMap(([one, other]) => chances(compared(one, other, key))),
    ]);
    return [top, ...rows].map((row) => `${row.join(",")}\n`).join("");
  }

  Object.assign(window.edoCompare, { readout, matrix, metTable, metSentence, yearsTable, sentence, csv, playerPage, moment, when });
})();
