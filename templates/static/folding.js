"use strict";
/* Text as searches and filters compare it: without case, accents and double letters, so that
   `ö`, `oe` and `o` are the same. Same rules and tables as edo/core/text.py. */

window.edoFolding = (() => {
  const LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
  };
  const TWINS = { ae: "a", oe: "o", ue: "u" };
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

  return { words };
})();
