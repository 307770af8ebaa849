// Makes each rating curve answer the pointer, touch and the keyboard, and lets it be saved.
// The numbers are those of the table of years below it; without this script its dots lead there.
"use strict";

(() => {
  const { element, drawn, moveFar } = window.edoDom;
  const NAMED = 3; // events that the readout names
  const KEYS =
    " Point at a year or move the slider: the arrow keys go by one year, Page Up and Page Down" +
    " by ten, P to the peak, Enter to the year’s line in the table.";

  // The events of a year: the first of them in the list has an id.
  function* eventsOf(year) {
    const first = document.getElementById(`e${year}`);
    for (let body = first; body && (body === first || !body.id); body = body.nextElementSibling) {
      yield body.querySelector("th a");
    }
  }

  // The table: one entry for each year, in order of time. The list of events is not sorted yet.
  function readYears(table) {
    const heads = [...table.tHead.rows[0].cells];
    const column = (name) => heads.findIndex((head) => head.dataset.part === name);
    const places = ["rating", "deviation", "second", "rank", "range"].map((name) => [name, column(name)]);
    const years = [...table.tBodies[0].rows].map((row) => {
      const year = { row, isGap: row.classList.contains("gap") };
      year.number = Number(/\d+$/.exec(row.id));
      year.label = row.cells[0].textContent.trim(); // of a season 2021/22
      year.events = row.id === `y${year.number}` ? [...eventsOf(year.number)] : [];
      for (const [name, k] of places) year[name] = k < 0 ? "" : row.cells[k].textContent.trim();
      if (year.second) year.second = `${heads[column("second")].textContent.trim()} ${year.second}, `;
      return year;
    });
    return years.sort((one, other) => one.number - other.number);
  }

  // The drawing: the points of the curve from left to right; every year of the table has one.
  function readPoints(svg) {
    const found = new Map();
    for (const line of svg.querySelectorAll("polyline")) {
      for (const pair of line.getAttribute("points").split(" ")) {
        found.set(...pair.split(",").map(Number));
      }
    }
    for (const dot of svg.querySelectorAll(".point")) {
      found.set(Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy")));
    }
    return [...found].map(([x, y]) => ({ x, y })).sort((one, other) => one.x - other.x);
  }

  // The words for a year; they are read out as they stand.
  function* words(year) {
    const range = year.range ? `, range ${year.range}` : "";
    const rank = /^\d/.test(year.rank) ? `rank ${year.rank}` : year.rank;
    yield element("a", { href: `#${year.row.id}`, textContent: year.label });
    yield `: rating ${year.rating}, deviation ${year.deviation}, ${year.second}${rank}${range}. `;
    if (year.isGap) yield "No rated results that year. ";
    for (const [k, event] of year.events.slice(0, NAMED).entries()) {
      if (k) yield ", ";
      yield element("a", { href: event.href, textContent: event.textContent });
    }
    const more = year.events.length - NAMED;
    if (more > 0) {
      const href = `#${year.row.id}`;
      yield " and ";
      yield element("a", { href, textContent: `${more} more` });
    }
    if (year.events.length) yield ".";
  }

  // The line at the year shown, its point, and a small flag with its numbers where the curve is not.
  function addCursor(svg, plot) {
    const line = drawn("path", { class: "cursor-line" });
    const point = drawn("circle", { class: "cursor-point", r: 7 });
    const flag = drawn("text", { class: "cursor-flag" });
    const cursor = drawn("g", { class: "cursor", "aria-hidden": "true", "data-passing": "" });
    cursor.append(line, point, flag);
    svg.insertBefore(cursor, svg.querySelector("a"));
    return {
      hide: () => cursor.setAttribute("visibility", "hidden"),
      show: ({ x, y }, text) => {
        const isLeft = x < (plot.left + plot.right) / 2;
        const isHigh = y < (plot.top + plot.bottom) / 2;
        line.setAttribute("d", `M${x} ${plot.top}V${plot.bottom}`);
        point.setAttribute("cx", x);
        point.setAttribute("cy", y);
        flag.setAttribute("x", x + (isLeft ? 8 : -8));
        flag.setAttribute("y", isHigh ? plot.bottom - 8 : plot.top + 4);
        flag.setAttribute("dominant-baseline", isHigh ? "auto" : "hanging");
        flag.setAttribute("text-anchor", isLeft ? "start" : "end");
        flag.textContent = text;
        cursor.setAttribute("visibility", "visible");
      },
    };
  }

  function addSlider(svg, label, years, points) {
    const width = svg.viewBox.baseVal.width;
    const share = (length) => `${(100 * length) / width}%`;
    const slider = element("input", {
      type: "range", className: "curve-years", step: 1, min: years[0].number,
      max: years[years.length - 1].number,
    });
    slider.setAttribute("aria-label", label);
    const [first, last] = [points[0].x, points[points.length - 1].x];
    slider.style.marginLeft = `calc(${share(first)} - var(--thumb) / 2)`;
    slider.style.width = `calc(${share(last - first)} + var(--thumb))`;
    svg.after(slider);
    return slider;
  }

  // With the slider the curve is one stop of the Tab key; its dots stay for the pointer.
  function useSlider(slider, state) {
    slider.addEventListener("input", () => state.show(slider.value - slider.min));
    moveFar(slider, (years) => state.show(state.at + years));
    slider.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "p" || event.key === "P") state.show(state.peak);
      else if (event.key === "Enter") state.follow();
      else if (event.key === "Escape") state.hide();
      else return;
      event.preventDefault();
    });
    for (const dot of state.svg.querySelectorAll("a")) {
      dot.setAttribute("tabindex", "-1");
      dot.setAttribute("aria-hidden", "true");
    }
  }

  function usePointer(state, points) {
    const { svg } = state;
    let isTouch = false;
    const nearest = (event) => {
      const { x } = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(svg.getScreenCTM().inverse());
      const far = points.map((point) => Math.abs(point.x - x));
      state.show(far.indexOf(Math.min(...far)));
    };
    for (const kind of ["pointerdown", "pointermove"]) {
      svg.addEventListener(kind, (event) => {
        isTouch = event.pointerType === "touch";
        nearest(event);
      });
    }
    // A finger is too wide to mean a dot: it asks for the year, which leads on to the line.
    svg.addEventListener("click", (event) => isTouch && event.preventDefault());
  }

  function makeAnswer(figure) {
    const svg = figure.querySelector("svg");
    const table = document.getElementById(figure.dataset.table);
    const years = readYears(table);
    const points = readPoints(svg);
    if (years.length !== points.length) return;
    const [left, right, top, bottom] = figure.dataset.plot.split(" ").map(Number);
    const cursor = addCursor(svg, { left, right, top, bottom });
    const readout = element("p", { className: "readout" });
    svg.parentElement.after(readout);
    const isLone = years.length === 1;
    const label = `${svg.querySelector("title").textContent}, year by year`;
    const slider = isLone ? null : addSlider(svg, label, years, points);
    const state = { svg, at: -1, hide: cursor.hide };
    state.peak = years.findIndex((year) => year.number === Number(figure.dataset.peak));
    state.follow = () => { location.hash = years[state.at].row.id; };
    state.show = (wanted) => {
      state.at = Math.max(0, Math.min(years.length - 1, wanted));
      const year = years[state.at];
      cursor.show(points[state.at], `${year.label}: ${year.rating} (${year.deviation})`);
      readout.replaceChildren(...words(year));
      if (slider) {
        slider.value = year.number;
        slider.setAttribute("aria-valuetext", readout.textContent);
      }
    };
    if (slider) {
      useSlider(slider, state);
      const id = `${figure.dataset.table}-keys`;
      const hint = element("span", { id, className: "keys", textContent: KEYS });
      figure.querySelector("figcaption").append(hint);
      slider.setAttribute("aria-describedby", hint.id);
    }
    usePointer(state, points);
    state.show(state.peak);
  }

  for (const figure of document.querySelectorAll("figure.rating-curve")) makeAnswer(figure);

  // A link to a year in a folded list opens the list; not all browsers do it by themselves.
  function unfold() {
    const folded = document.getElementById(location.hash.slice(1))?.closest("details:not([open])");
    if (!folded) return;
    folded.open = true;
    folded.querySelector(location.hash)?.scrollIntoView();
  }

  window.addEventListener("hashchange", unfold);
  unfold();
})();
