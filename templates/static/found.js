"use strict";
/* The page of the search: everything that is found for ?q=, kind by kind. */

(() => {
  const { element } = window.edoDom;
  const { load, address, about, box } = window.edoSearch;
  const found = document.getElementById("found");
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";

  function line(hit) {
    const link = element("a", { href: address(hit) }, hit.name);
    return element("li", {}, link, " ", element("span", { className: "aside" }, beside(hit)));
  }

  /* The heading says the kind. */
  function beside(hit) {
    return about(hit).slice(hit.kind.one.length).replace(/^[,;] /, "");
  }

  function group(hits) {
    const { many } = hits[0].kind;
    const heading = element("h2", {}, `${many} `, element("span", { className: "aside" }, String(hits.length)));
    return [heading, element("ul", { className: "list" }, ...hits.map(line))];
  }

  /* The kinds come in the order of their best hits. */
  function groups(hits) {
    const kinds = [...new Set(hits.map((hit) => hit.kind))];
    return kinds.flatMap((kind) => group(hits.filter((hit) => hit.kind === kind)));
  }

  /* Only the number is read out, not every line of what is found. */
  function show(hits) {
    const number = hits.length ? `${hits.length} found` : "Nothing found";
    const title = `${number} for “${query}”`;
    document.title = document.title.replace(/^[^·]*/, () => `${title} `);
    document.querySelector("h1").textContent = title;
    document.getElementById("number-found").textContent = number;
    found.replaceChildren(...groups(hits));
    if (!hits.length) found.append(element("p", {}, "Try the beginning of a name, or one word less."));
  }

  function fail() {
    found.replaceChildren(element("p", { className: "reason", role: "alert" }, "The names could not be loaded."));
  }

  document.getElementById("needs-script").remove();
  if (!query) return;
  box.value = query;
  load(query).then((find) => find(query)).then(show, fail);
})();
