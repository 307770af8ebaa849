"use strict";
/* The search box of every page: a combobox that loads the names when it is first used, and shows
   the best hits while somebody types. `edoSearch` lends the loading and the lines to search.html. */

window.edoSearch = (() => {
  const MOST = 10; // hits shown under the box
  const box = document.getElementById("search");
  const form = box.form;
  const list = element("ul", { id: "search-hits", role: "listbox", "aria-label": "Found" });
  const status = element("p", { className: "unseen", role: "status" });
  let chosen = -1;
  let loading = null;

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /* fetch() may not read files from the disk; a script element may. */
  function script(source) {
    return new Promise((done, failed) => {
      document.head.append(element("script", { src: source, onload: done, onerror: failed }));
    });
  }

  /* Promise the function that finds; it comes with the names, once. */
  function load() {
    loading ??= script(box.dataset.names)
      .then(() => script(box.dataset.find))
      .then(() => window.edoFind);
    return loading;
  }

  function address(hit) {
    return new URL(hit.path, new URL(box.dataset.root, document.baseURI)).href;
  }

  /* What stands behind a name: its kind, the word beside it, the spelling that was found. */
  function about(hit) {
    const words = [hit.kind.one, hit.beside].filter(Boolean).join(", ");
    return hit.also ? `${words}; also written ${hit.also}` : words;
  }

  function option(hit, number) {
    const line = element("li", { id: `search-hit-${number}`, role: "option" });
    line.append(element("span", {}, hit.name), " ");
    line.append(element("span", { className: "aside" }, about(hit)));
    line.setAttribute("aria-selected", "false");
    line.dataset.address = address(hit);
    return line;
  }

  function choose(number) {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    chosen = number;
    const line = list.children[chosen];
    line?.setAttribute("aria-selected", "true");
    line?.scrollIntoView({ block: "nearest" });
    if (line) box.setAttribute("aria-activedescendant", line.id);
    else box.removeAttribute("aria-activedescendant");
  }

  function close() {
    choose(-1);
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
  }

  function counted(hits) {
    if (!hits.length) return "Nothing found";
    const shown = hits.length > MOST ? `; the first ${MOST} are shown, Enter shows all` : "";
    return `${hits.length} found${shown}`;
  }

  function show(hits) {
    close();
    list.replaceChildren(...hits.slice(0, MOST).map(option));
    list.hidden = !hits.length;
    box.setAttribute("aria-expanded", String(!list.hidden));
    tell(counted(hits), !hits.length);
  }

  /* Say it to those who listen, and show it where there is nothing else to see. */
  function tell(words, isShown) {
    status.textContent = words;
    status.className = isShown ? "search-word" : "unseen";
  }

  function answer() {
    if (!box.value.trim()) {
      close();
      tell("", false);
      return;
    }
    load().then(
      (find) => { if (box.value.trim()) show(find(box.value)); },
      () => tell("The names could not be loaded", true),
    );
  }

  function move(step) {
    if (list.hidden) {
      answer();
      return;
    }
    const places = list.children.length + 1; // one of them is the box itself
    choose(((chosen + 1 + step + places) % places) - 1);
  }

  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => { location.href = list.children[chosen].dataset.address; },
    Escape: () => { close(); tell("", false); },
    Home: () => { choose(-1); box.setSelectionRange(0, 0); },
    End: () => { choose(-1); box.setSelectionRange(box.value.length, box.value.length); },
  };

  function onKey(event) {
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || event.isComposing || !(event.key in KEYS)) return;
    if (event.key === "Enter" && chosen < 0) return; // the form leads to all hits
    if (event.key === "Escape" && list.hidden) return; // the browser empties the box
    event.preventDefault();
    KEYS[event.key]();
  }

  function onSlash(event) {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  }

  function onClick(event) {
    const line = event.target.closest("[role=option]");
    if (!line) return;
    if (event.ctrlKey || event.metaKey) window.open(line.dataset.address);
    else location.href = line.dataset.address;
  }

  function begin() {
    const combobox = { role: "combobox", "aria-expanded": "false", "aria-controls": list.id };
    const more = { "aria-autocomplete": "list", "aria-haspopup": "listbox" };
    Object.entries({ ...combobox, ...more }).forEach(([key, value]) => box.setAttribute(key, value));
    box.type = "text"; // a combobox may not be of type search
    list.hidden = true;
    form.append(list, status);
    box.addEventListener("focus", () => load().catch(() => {}), { once: true });
    box.addEventListener("input", answer);
    box.addEventListener("keydown", onKey);
    box.addEventListener("blur", close);
    list.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus
    list.addEventListener("click", onClick);
    document.addEventListener("keydown", onSlash);
  }

  begin();
  return { load, element, address, about, box };
})();
