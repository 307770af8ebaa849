// Offers each drawing whose figure names a file (data-save) as an SVG that stands alone:
// with the colours and letters of the page as it looks now, its title above, its origin below.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LOOKS = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linejoin", "font-family", "font-size", "text-anchor", "font-variant-numeric",
  ];
  const HEAD = 40; // above and below the drawing, in its own units
  const FOOT = 34;

  function drawn(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  }

  // Stylesheets stay behind, so every shape takes its looks along.
  function dress(copy, original) {
    const looks = getComputedStyle(original);
    for (const name of LOOKS) {
      const value = looks.getPropertyValue(name);
      if (value) copy.setAttribute(name, value);
    }
    copy.removeAttribute("class");
    [...copy.children].forEach((child, k) => dress(child, original.children[k]));
  }

  // Links would lead nowhere from another folder; their titles stay.
  function unlink(copy) {
    for (const anchor of copy.querySelectorAll("a")) {
      const group = drawn("g", {});
      group.append(...anchor.childNodes);
      anchor.replaceWith(group);
    }
  }

  function frame(copy, original) {
    const { width, height } = original.viewBox.baseVal;
    const page = getComputedStyle(document.body);
    const said = (place) => document.querySelector(place)?.textContent.trim() ?? "";
    const origin = `${said(".site-name")}, data ${said(".colophon code")}`;
    const words = { x: 10, fill: page.color, "font-family": page.fontFamily, stroke: "none" };
    copy.setAttribute("viewBox", `0 ${-HEAD} ${width} ${height + HEAD + FOOT}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height + HEAD + FOOT);
    const paper = { x: 0, y: -HEAD, width: "100%", height: "100%", fill: page.backgroundColor };
    copy.prepend(
      drawn("rect", paper),
      drawn("text", { ...words, y: 22 - HEAD, "font-size": 18 }, said("h1")),
    );
    copy.append(drawn("text", { ...words, y: height + FOOT - 10, "font-size": 11 }, origin));
  }

  function fileOf(svg) {
    const copy = svg.cloneNode(true);
    dress(copy, svg);
    for (const passing of copy.querySelectorAll("[data-passing]")) passing.remove();
    unlink(copy);
    frame(copy, svg);
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  }

  function save(svg, name) {
    const address = URL.createObjectURL(fileOf(svg));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  for (const figure of document.querySelectorAll("figure[data-save]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Save the drawing (SVG)";
    button.addEventListener("click", () => save(figure.querySelector("svg"), figure.dataset.save));
    figure.querySelector(".figure-ways").append(" ", button);
  }
})();
