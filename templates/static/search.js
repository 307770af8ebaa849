"use strict";
/* The search box of every page: a combobox that loads the names when it is first used, and shows
   the best hits while somebody types. `edoSearch` lends its parts to other scripts. */

window.edoSearch = (() => {
  const { element, load: script } = window.edoDom;
  const box = document.getElementById("search");
  let loading = null;

  const run = (name) => script(placed(`static/${name}.js`));
  const decades = new Map();

  /* Load who played where in a decade, once; without it, less is found. */
  function loadDecade(decade) {
    if (!decades.has(decade)) decades.set(decade, run(`played_${decade}`).catch(() => decades.delete(decade)));
    return decades.get(decade);
  }

  /* Promise the function that finds, with what the text needs. */
  async function load(text = "") {
    const find = await loadNames();
    const decade = find.decade(text);
    if (decade) await loadDecade(decade);
    return find;
  }

  /* The names come once. What failed is tried anew. */
  function loadNames() {
    loading ??= Promise.all(["names", "find_pairs"].map(run))
      .then(() => run("find"))
      .then(() => window.edoFind)
      .catch((error) => {
        loading = null;
        throw error;
      });
    return loading;
  }

  /* The address of a path from the root of the site, where the page stands that the form leads to. */
  const placed = (path) => new URL(path, box.form.action).href;
  const address = (hit) => placed(hit.path + (hit.at ?? ""));

  /* What stands behind a name: its kind, the word beside it, the spelling or topic that was found. */
  function about(hit) {
    const words = [hit.kind.one, hit.beside].filter(Boolean).join(", ");
    if (!hit.also) return words;
    return hit.kind.one === "page" ? `${words}; on ${hit.also}` : `${words}; also written ${hit.also}`;
  }

  /* Makes a combobox of a text box and the list of its hits, after the pattern of ARIA.

     hits(find, text): promise what is found; line(hit): the parts of its option; take(hit, event): it was
     chosen; tell(words, isShown): say what was found; most: lines shown at once; isSure: where
     none is chosen, Enter takes the first line, and is not left to the form. */
  function combobox(input, list, { hits, line, take, tell, most, isSure }) {
    let found = [];
    let chosen = -1;

    function choose(number) {
      list.children[chosen]?.setAttribute("aria-selected", "false");
      chosen = number;
      const option = list.children[chosen];
      option?.setAttribute("aria-selected", "true");
      option?.scrollIntoView({ block: "nearest" });
      if (option) input.setAttribute("aria-activedescendant", option.id);
      else input.removeAttribute("aria-activedescendant");
    }

    function close() {
      choose(-1);
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
    }

    function option(hit, number) {
      const made = element("li", { id: `${list.id}-${number}`, role: "option" }, ...line(hit));
      made.setAttribute("aria-selected", "false");
      return made;
    }

    function counted(number) {
      if (!number) return "Nothing found";
      const all = isSure ? "" : ", Enter shows all";
      return number > most ? `${number} found; the first ${most} are shown${all}` : `${number} found`;
    }

    function show(text, answers) {
      if (input.value !== text || document.activeElement !== input) return; // it came too late
      close();
      found = answers;
      list.replaceChildren(...found.slice(0, most).map(option));
      list.hidden = !found.length;
      input.setAttribute("aria-expanded", String(!list.hidden));
      tell(counted(found.length), !found.length);
    }

    function answer() {
      const text = input.value;
      if (text.trim()) {
        load(text).then((find) => hits(find, text))
          .then((answers) => show(text, answers), () => tell("The names could not be loaded", true));
      } else {
        close();
        tell("", false);
      }
    }

    function move(step) {
      const places = list.children.length + 1; // one of them is the box itself
      if (list.hidden) answer();
      else choose(((chosen + 1 + step + places) % places) - 1);
    }

    function leave() {
      if (list.hidden) input.value = "";
      close();
      tell("", false);
    }

    function pick(number, event) {
      close();
      take(found[number], event);
    }

    const KEYS = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: (event) => pick(Math.max(chosen, 0), event),
      Escape: leave,
      Home: () => { choose(-1); input.setSelectionRange(0, 0); },
      End: () => { choose(-1); input.setSelectionRange(input.value.length, input.value.length); },
    };

    function onKey(event) {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!isPlain || event.isComposing || !(event.key in KEYS)) return;
      if (event.key === "Enter" && (list.hidden || (chosen < 0 && !isSure))) return;
      event.preventDefault();
      KEYS[event.key](event);
    }

    input.addEventListener("input", answer);
    input.addEventListener("keydown", onKey);
    input.addEventListener("blur", close);
    list.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus
    list.addEventListener("click", (event) => {
      const number = [...list.children].indexOf(event.target.closest("[role=option]"));
      if (number >= 0) pick(number, event);
    });
  }

  const form = box.form;
  const list = element("ul", { id: "search-hits", role: "listbox", "aria-label": "Found" });
  const status = element("p", { className: "unseen", role: "status" });

  const site = {
    most: 10,
    hits: (find, text) => find(text),
    line: (hit) => [
      element("span", {}, hit.name), " ", element("span", { className: "aside" }, about(hit)),
    ],
    take(hit, event) {
      if (event.ctrlKey || event.metaKey) window.open(address(hit));
      else location.href = address(hit);
    },
    /* Say it to those who listen, and show it where there is nothing else to see. */
    tell(words, isShown) {
      status.textContent = words;
      status.className = isShown ? "search-word" : "unseen";
    },
  };

  function onSlash(event) {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  }

  function begin() {
    const shape = { role: "combobox", "aria-expanded": "false", "aria-controls": list.id };
    const more = { "aria-autocomplete": "list", "aria-haspopup": "listbox" };
    Object.entries({ ...shape, ...more }).forEach(([key, value]) => box.setAttribute(key, value));
    box.type = "text"; // a combobox may not be of type search
    list.hidden = true;
    form.append(list, status);
    combobox(box, list, site);
    document.addEventListener("keydown", onSlash);
  }

  begin();
  return { load, script, address, about, combobox, box };
})();
