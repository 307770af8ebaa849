"use strict";
/* The names that a query needs: all that came with names.js and, of a large history, the parts of
   names_1.js ... that have its words (edo/site/search_data.py says what stands where).
   Used by find.js, which lends its parts. */

window.edoFindParts = ({ names, entryOf, sounds, isAlike }) => {
  const { rows = [], cuts = [], tops = [], wholes = 0 } = names;
  const given = new Map(); // what the files handed over, by their names
  const loading = new Map();
  const known = new Map(); // entries by kind and number, so that each is made once
  const topOf = new Map(tops.flatMap((starts, k) => starts.split(" ").map((start) => [start, k + 1])));

  function entry(row) {
    const key = `${row[0]} ${row[1]}`;
    if (!known.has(key)) known.set(key, entryOf(row));
    return known.get(key);
  }

  const own = rows.map(entry);

  names.part = (name, content) => given.set(name, content);

  /* Promise what a file holds; what failed is tried anew. */
  function load(name) {
    if (!loading.has(name)) {
      const { script, box } = window.edoSearch;
      loading.set(name, script(box.dataset.names.replace(".js", `_${name}.js`))
        .then(() => given.get(name) ?? Promise.reject(new Error(`no names in ${name}`)))
        .catch((error) => {
          loading.delete(name);
          throw error;
        }));
    }
    return loading.get(name);
  }

  const before = (word) => cuts.filter((cut) => cut <= word).length;

  /* The entries that a word may begin; where these are in too many parts, only the best of them. */
  async function beginning(word) {
    if (!cuts.length) return [];
    if (topOf.has(word)) return (await load(`top_${topOf.get(word)}`))[word].map(entry);
    const [first, last] = [before(word), before(`${word}\uffff`)];
    const parts = [...Array(last - first + 1).keys()].map((k) => load(`${first + k + 1}`));
    return (await Promise.all(parts)).flat().map(entry);
  }

  /* All that came with names.js and some more, in the order in which equals are shown. */
  function joined(more) {
    const all = [...new Set([...own, ...more])];
    return all.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
  }

  const isText = (word) => !/^\p{N}/u.test(word);
  /* The word that tells most: a long one, rather than a number or a word of many entries. */
  function telling(query) {
    const worth = (word) => (topOf.has(word) ? 0 : 100) + (isText(word) ? 50 : 0) + word.length;
    return query.toSorted((a, b) => worth(b) - worth(a))[0];
  }

  async function everything() {
    const parts = await Promise.all([...Array(wholes).keys()].map((k) => load(`all_${k + 1}`)));
    return joined(parts.flat().map(entry));
  }

  /* The entries in which a word begins as the one of the query that tells most. */
  async function near(query) {
    const word = telling(query);
    if (query.length > 1 && topOf.has(word)) return everything();
    const found = await beginning(word);
    return joined(found.filter((one) => one.texts.some((text) => text.some((own_) => own_.startsWith(word)))));
  }

  /* The entries around each of the words and, to forgive errors, where these may stand otherwise. */
  async function around(query, forgiving) {
    const starts = new Set(query.flatMap((word) => [word, ...(forgiving ? sounds(word) : [])]));
    const found = (await Promise.all([...starts].map(beginning))).flat();
    const isNear = (text) => text.some((other) => query.some((word) => isAlike(word, other)));
    return joined(forgiving ? found.filter((one) => one.texts.some(isNear)) : found);
  }

  const isCut = (query) => query.length === 1 && topOf.has(query[0]);

  return { near, around, everything, telling, isCut };
};
