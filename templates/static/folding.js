"use strict";
/* Text as searches and filters compare it: without case, accents and double letters, so that
   `ö`, `oe` and `o` are the same; and the ids of names. Same rules and tables as
   edo/core/text.py. */

window.edoFolding = (() => {
  const LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
  };
  const TWINS = { ae: "a", oe: "o", ue: "u" };
  const SPELT_OUT = { ä: "ae", ö: "oe", ü: "ue" };
  const APOSTROPHES = /['’ʼ‘`´]/gu;
  const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

  function fold(text) {
    const plain = text.toLowerCase().replace(SPECIAL, (letter) => LETTERS[letter]);
    return plain.normalize("NFD").replace(/\p{M}/gu, "");
  }

  function single(word) {
    const plain = Object.entries(TWINS).reduce(
      (all, [pair, letter]) => all.replaceAll(pair, letter), word,
    );
    return plain.replace(/(\p{L})\1+/gu, "$1");
  }

  /* The words of a text. */
  function words(text) {
    const plain = fold(text.replace(APOSTROPHES, ""));
    return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean).map(single);
  }

  /* The id for a text. */
  function kebab(text) {
    return fold(text).replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  }

  /* The id for `Surname, First names`: the surname and the first of the first names. */
  function personKebab(name) {
    const [surname, first = ""] = name.toLowerCase().normalize("NFC").split(/,(.*)/su);
    const short = `${surname} ${first.trim().split(/\s+/u)[0]}`;
    return kebab(short.replace(/[äöü]/gu, (letter) => SPELT_OUT[letter]));
  }

  return { fold, words, kebab, personKebab };
})();
