// Lets the map of all places show the events of one decade: each circle as large as its events.
"use strict";

(() => {
  const { element } = window.edoDom;
  const figure = document.querySelector("figure[data-map]");
  const [base, step] = figure.dataset.map.split(" ").map(Number);
  const places = [...figure.querySelectorAll("a[data-years]")].map((anchor) => ({
    anchor,
    circle: anchor.querySelector("circle"),
    name: figure.querySelector(`text[data-of="${anchor.dataset.place}"]`),
    years: anchor.dataset.years.split(" ").map(Number),
  }));
  const decadeOf = (year) => Math.floor(year / 10) * 10;

  function show(decade) {
    for (const { anchor, circle, name, years } of places) {
      const shown = decade ? years.filter((year) => decadeOf(year) === decade) : years;
      for (const part of [anchor, name]) part?.toggleAttribute("hidden", !shown.length);
      circle.setAttribute("r", (base + step * Math.sqrt(shown.length)).toFixed(1));
    }
  }

  const decades = [...new Set(places.flatMap(({ years }) => years.map(decadeOf)))].sort();
  const select = element("select", {},
    new Option("all years", ""), ...decades.map((decade) => new Option(`${decade}s`, decade)));
  select.addEventListener("change", () => show(Number(select.value)));
  figure.prepend(element("p", { className: "controls" }, element("label", {}, "Events of ", select)));
  show(Number(select.value)); // browsers keep the choice when a page is reloaded
})();
