// What several scripts do with a page: make elements and drawings, load a script, save a file, copy a text.
//
// The site also works from a folder on disk, where browsers refuse `import` and `fetch` (an address
// `file://` has no origin). So the scripts here are plain ones, run in the order in which the page
// names them, and each lends what others need under one name of `window`. Those of every page are published as
// one file, page.js (edo/site/assets.py):
//
//   edoDom       dom.js           every page; needed by all below
//   edoFolding   folding.js       every page; search, filters and compare_numbers
//   edoSearch    search.js        every page; loads names.js, find*.js and played_*.js when somebody searches
//   edoTables    tables.js        every page; filters and long_lists
//   edoFilter    filters.js       lists, years; long_lists
//   edoNumbers   numbers.js       compare: how pages print numbers
//   edoCompare   compare_*.js     the page of comparisons, which compare.js starts
//
// curve, map, neighbours, report, save and time lend nothing. Scripts with data
// (names, time_data, compare/*.js) call a function that whoever loads them set up.
"use strict";

window.edoDom = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FAR = 10; // [years] that Page Up and Page Down move

  // An element with properties, or attributes where there is no property of the name.
  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // An element of a drawing.
  function drawn(name, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // Run a script; the promise fails where there is none.
  function load(src) {
    return new Promise((done, failed) => {
      document.head.append(element("script", { src, onload: done, onerror: failed }));
    });
  }

  // Offer a file to be saved.
  function save(blob, name) {
    const href = URL.createObjectURL(blob);
    element("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // Copy a text and tell so; where that is not allowed, tell the text.
  async function copy(text, tell, said) {
    try {
      await navigator.clipboard.writeText(text);
      tell(said);
    } catch {
      tell(text);
    }
  }

  // Page Up and Page Down move by ten years, where a slider would move by a share of its length.
  function moveFar(slider, move) {
    slider.addEventListener("keydown", (event) => {
      const years = { PageUp: FAR, PageDown: -FAR }[event.key];
      if (!years || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      move(years);
    });
  }

  return { element, drawn, load, save, copy, moveFar };
})();
