// Offers the drawings of each figure that names a file (data-save) as an SVG that stands alone, and as PNG:
// with the colours and letters of the page as it looks now, its title above, its origin below.
"use strict";

(() => {
  const { element, drawn, save } = window.edoDom;
  const LOOKS = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linejoin", "paint-order", "font-family", "font-size", "text-anchor", "font-variant-numeric",
  ];
  const HEAD = 40; // above and below the drawing, in its own units
  const FOOT = 34;
  const FINER = 2; // a PNG has so many pixels to a unit

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
      for (const name of ["transform", "opacity"]) {
        if (anchor.hasAttribute(name)) group.setAttribute(name, anchor.getAttribute(name));
      }
      group.append(...anchor.childNodes);
      anchor.replaceWith(group);
    }
  }

  // All drawings of the figure that are seen, where they stand on the page; sizes are those of the first.
  function sheet(figure) {
    const seen = [...figure.querySelectorAll("svg.chart")].filter((svg) => svg.getBoundingClientRect().width);
    const boxes = seen.map((svg) => svg.getBoundingClientRect());
    const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
    const scale = seen[0].viewBox.baseVal.width / boxes[0].width;
    const width = scale * (Math.max(...boxes.map((box) => box.right)) - left);
    const height = scale * (Math.max(...boxes.map((box) => box.bottom)) - top);
    const copies = seen.map((svg, k) => {
      const copy = svg.cloneNode(true);
      dress(copy, svg);
      copy.prepend(drawn("rect", { width: "100%", height: "100%", fill: getComputedStyle(svg).backgroundColor }));
      for (const passing of copy.querySelectorAll("[data-passing]")) passing.remove();
      unlink(copy);
      const place = { x: boxes[k].left - left, y: boxes[k].top - top, width: boxes[k].width, height: boxes[k].height };
      for (const [name, length] of Object.entries(place)) copy.setAttribute(name, scale * length);
      return copy;
    });
    return { copies, width, height };
  }

  // Returns the text of the file, and its size.
  function fileOf(figure) {
    const { copies, width, height } = sheet(figure);
    const page = getComputedStyle(document.body);
    const said = (place) => document.querySelector(place)?.textContent.trim() ?? "";
    const origin = `${said(".site-name")}, ${said(".colophon .edition")}`;
    const words = { x: 10, fill: page.color, "font-family": page.fontFamily, stroke: "none" };
    const size = { width, height: height + HEAD + FOOT };
    const made = drawn("svg", { viewBox: `0 ${-HEAD} ${size.width} ${size.height}`, ...size });
    const paper = { x: 0, y: -HEAD, width: "100%", height: "100%", fill: page.backgroundColor };
    made.append(
      drawn("rect", paper),
      drawn("text", { ...words, y: 22 - HEAD, "font-size": 18 }, figure.dataset.title ?? said("h1")),
      ...copies,
      drawn("text", { ...words, y: height + FOOT - 10, "font-size": 11 }, origin),
    );
    return { ...size, text: new XMLSerializer().serializeToString(made) };
  }

  function saveSvg(figure) {
    save(new Blob([fileOf(figure).text], { type: "image/svg+xml" }), figure.dataset.save);
  }

  function savePng(figure) {
    const { text, width, height } = fileOf(figure);
    const image = new Image();
    image.onload = () => {
      const canvas = element("canvas", { width: FINER * width, height: FINER * height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(blob, figure.dataset.save.replace(/svg$/, "png")), "image/png");
    };
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  }

  const WAYS = [["SVG", saveSvg], ["PNG", savePng]];
  for (const figure of document.querySelectorAll("figure[data-save]")) {
    const hasPicture = figure.querySelector("a[download]"); // made with the site
    for (const [kind, saveAs] of hasPicture ? WAYS.slice(0, 1) : WAYS) {
      const button = element("button", { type: "button", "aria-label": `Save the drawing (${kind})` }, `Save as ${kind}`);
      button.addEventListener("click", () => saveAs(figure));
      figure.querySelector(".figure-ways").append(" ", button);
    }
  }
})();
