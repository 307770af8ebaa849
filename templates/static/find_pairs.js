"use strict";
/* Finds the pages of two players against each other: `Alder Birch`, `Alder v. Birch`.
   Who met often have a page of their games; any other two who are rated are compared by their
   ratings, unless the words are the name of one player. Used by find.js, which lends its parts. */

window.edoFindPairs = ({ fit, words, hitOf, entries, met, rated, none, inside }) => {
  const KIND = { one: "head to head", many: "Head to head", folder: "" };
  const COMPARED = { one: "comparison", many: "Comparisons", folder: "" };
  const AGAINST = /\s+(?:vs?\.?|versus|against|and|&|-|–|—)\s+/iu;
  const ASKED = /^\s*(?:head[ -]to[ -]head|compare)\b:?|\bhead[ -]to[ -]head\s*$/iu;
  const NAMESAKES = 3; // players of one name, and pairs of two names, that are offered
  const SHORTEST = 4; // letters of the beginning of a surname; shorter ones are whole
  const [FIRST, SECOND] = [-0.5, 0.25]; // ranks before and after what bears the name as a whole
  const players = entries.filter((entry) => entry.kind.folder === "players/");
  const often = new Set(Object.entries(met).flatMap(([one, others]) => others.map((other) => `${one},${other}`)));

  function surname(name) {
    const plain = name.replace(/\(.*/u, "");
    return words(plain.includes(",") ? plain.split(",")[0] : plain).slice(plain.includes(",") ? 0 : -1);
  }

  function isSurname(word, own, forgiving) {
    return word.length < SHORTEST ? word === own : ![inside, none].includes(fit(word, own, forgiving));
  }

  /* The players whom the words of one side mean, each with the place in the list of all. */
  function meant(query, forgiving) {
    const found = players.map((entry) => hitOf(entry, query, forgiving));
    const isMeant = (hit) => hit.rank < none && surname(hit.also ?? hit.name)
      .some((own) => query.some((word) => isSurname(word, own, forgiving)));
    return found.filter(isMeant).sort((a, b) => a.rank - b.rank).slice(0, NAMESAKES);
  }

  function pairOf(one, other) {
    const isMet = [`${one.place},${other.place}`, `${other.place},${one.place}`].some((pair) => often.has(pair));
    if (one.place === other.place || (!isMet && Math.max(one.place, other.place) >= rated)) return [];
    const ids = [one, other].map((hit) => hit.path.slice("players/".length, -".html".length));
    const path = isMet ? `pairs/${[...ids].sort().join("-v-")}.html` : `compare/index.html?p=${ids.join()}`;
    const beside = isMet ? "all their games" : "by their ratings";
    const far = one.rank + other.rank;
    return [{ kind: isMet ? KIND : COMPARED, name: `${one.name} – ${other.name}`, beside, path, isMet, far }];
  }

  /* Those who met often, if any; else the likeliest. */
  function pairs(left, right, forgiving) {
    const others = meant(right, forgiving);
    const all = meant(left, forgiving).flatMap((one) => others.flatMap((other) => pairOf(one, other)));
    const known = all.filter((pair) => pair.isMet);
    return (known.length ? known : all).sort((a, b) => a.far - b.far).slice(0, NAMESAKES);
  }

  /* `found` is what bears the words as a whole. */
  return (text, found) => {
    const sides = text.replace(ASKED, " ").trim().split(AGAINST).map(words);
    const all = sides.flat();
    if (sides.length > 2 || sides.some((side) => !side.length) || all.some((word) => /\d/.test(word))) return [];
    if (all.length < 2) return [];
    const ranked = (hits, rank) => hits.map((hit) => ({ ...hit, rank }));
    if (sides.length === 2) {
      const exact = pairs(...sides, false);
      return ranked(exact.length ? exact : pairs(...sides, true), FIRST);
    }
    const isOne = found.some((hit) => hit.kind.folder === "players/");
    const both = all.slice(1).flatMap((_, k) => pairs(all.slice(0, k + 1), all.slice(k + 1), false));
    return isOne ? ranked(both.filter((pair) => pair.isMet), SECOND) : ranked(both, FIRST);
  };
};
