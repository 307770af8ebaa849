// The time machine: turns the drawing of one year into that of any other, by slider, keys and strip.
// Its data are a script of their own (edo/site/time_data.py), fetched when they are first needed.
"use strict";

(() => {
  const { element, drawn, load: run, copy, moveFar } = window.edoDom;
  const [LEFT, RIGHT, TOP, ROW, SHOWN] = [160, 510, 6, 24, 20]; // as in edo/site/charts/leading.py
  const GLIDE = 450; // [ms] from one year to another
  const PLAY = 900; // [ms] a year is shown while all are played
  const REST = 500; // [ms] after which a year is written to the address and read out
  const LETTER = 7.3; // about the width of a letter of the names of places, as in charts/maps.py
  const root = document.querySelector("figure.time");
  if (!root) return; // nobody has a rank
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const chart = root.querySelector("svg.leading-dots");
  const dots = chart.querySelector(".dots");
  const maps = [...root.querySelectorAll("svg.map")];
  const [lowest, highest] = chart.dataset.scale.split(" ").map(Number);
  const [base, step] = root.dataset.circles.split(" ").map(Number);
  const strips = [...root.querySelectorAll("svg.strip")];
  const [first, last] = strips[0].dataset.years.split(" ").map(Number);
  const home = root.dataset.root.replace(/index\.html$/, "");
  const given = new URLSearchParams(location.search);
  const isEmbedded = given.has("embed");
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  const shown = new Map(); // by player: the element and where it is
  let [year, data, loading, resting, playing] = [Number(root.dataset.year), null, null, 0, 0];

  const numberOf = (printed) => Number(printed.replace("−", "-"));
  const x = (rating) => {
    const share = (rating - lowest) / (highest - lowest);
    return LEFT + Math.min(Math.max(share, 0), 1) * (RIGHT - LEFT);
  };
  // A year as its page calls it.
  const called = (number) => ("seasons" in root.dataset ? `${number - 1}/${String(number % 100).padStart(2, "0")}` : String(number));
  const pageOf = (number) => `${home}years/${String(number).padStart(4, "0")}.html`;

  function load() {
    window.edoTime = (read) => { data = { ...read, events: {} }; };
    loading ??= run(root.dataset.data).catch(() => {}); // without data the page of the year is shown
    return loading;
  }

  // The events of a decade are fetched when one of its years is shown.
  const decades = new Map();
  function loadEvents(number) {
    const decade = Math.floor(number / 10) * 10;
    window.edoTimeEvents = (_, events) => Object.assign(data.events, events);
    if (!data?.decades.includes(decade)) return null;
    if (!decades.has(decade)) decades.set(decade, run(root.dataset.data.replace(".js", `_${decade}.js`)).catch(() => {}));
    return decades.get(decade);
  }

  // Ranks, ratings, standard errors and chances come as the pages print them.
  function entries(number) {
    return (data.years[number] ?? []).map(([player, rank, rating, deviation, first, isGap], row) => {
      const [id, label, name] = data.players[player];
      return { id, label, name, rank, rating, deviation, first, isGap, row };
    });
  }

  function words(one) {
    const sure = one.first ? `, number one with ${one.first}` : "";
    const gap = one.isGap ? "; no results in the year" : "";
    return `${one.rank}. ${one.name}: ${one.rating} (${one.deviation})${sure}${gap}`;
  }

  // The dots

  function makeDot(id) {
    const anchor = drawn("a", { class: "dot", tabindex: -1, "data-player": id });
    anchor.append(
      drawn("title", {}), drawn("rect", { x: 0, y: -12, width: 520, height: 24 }),
      drawn("text", { class: "place", x: 24, dy: "0.34em" }),
      drawn("text", { class: "label", x: 32, dy: "0.34em" }),
      drawn("path", { class: "interval" }), drawn("path", { class: "before" }),
      drawn("circle", { r: 5 }),
    );
    dots.append(anchor);
    return anchor;
  }

  function place(dot, now) {
    dot.now = now;
    const { anchor } = dot;
    anchor.setAttribute("transform", `translate(0 ${now.y.toFixed(1)})`);
    anchor.setAttribute("opacity", now.opacity.toFixed(2));
    anchor.querySelector("circle").setAttribute("cx", now.x.toFixed(1));
    const [left, right] = [now.left.toFixed(1), now.right.toFixed(1)];
    anchor.querySelector(".interval").setAttribute("d", `M${left} 0H${right}`);
  }

  function target(one) {
    const { row } = one;
    const [rating, deviation] = [numberOf(one.rating), numberOf(one.deviation)];
    const y = TOP + ROW * (row + 0.5);
    return { x: x(rating), left: x(rating - deviation), right: x(rating + deviation), y, opacity: 1 };
  }

  function label(anchor, one, before) {
    anchor.setAttribute("href", `${home}players/${one.id}.html#y${year}`);
    anchor.classList.toggle("without", Boolean(one.isGap));
    anchor.querySelector("title").textContent = words(one);
    anchor.querySelector(".place").textContent = one.rank;
    anchor.querySelector(".label").textContent = one.label;
    const stroke = anchor.querySelector(".before") ?? anchor.insertBefore(drawn("path", { class: "before" }), anchor.lastChild);
    stroke.setAttribute("d", before === undefined || before < lowest || before > highest ? "" : `M${x(before).toFixed(1)} -6V6`);
  }

  function showDots(glides) {
    const now = entries(year);
    const before = new Map(entries(year - 1).map((one) => [one.id, numberOf(one.rating)]));
    const there = new Set(now.map((one) => one.id));
    for (const one of now) {
      const end = target(one);
      if (!shown.has(one.id)) {
        const start = { ...end, y: end.y + ROW, opacity: 0 };
        const dot = { anchor: makeDot(one.id) };
        place(dot, start);
        shown.set(one.id, dot);
      }
      const dot = shown.get(one.id);
      label(dot.anchor, one, before.get(one.id));
      Object.assign(dot, { start: dot.now, end });
    }
    for (const [id, dot] of shown) {
      if (!there.has(id)) Object.assign(dot, { start: dot.now, end: { ...dot.now, opacity: 0, y: TOP + ROW * (SHOWN + 0.5) } });
    }
    cancelAnimationFrame(showDots.frame);
    const began = performance.now();
    const draw = (time) => {
      const share = glides ? Math.min(1, Math.max(0, time - began) / GLIDE) : 1;
      const eased = 1 - (1 - share) ** 3;
      for (const [id, dot] of shown) {
        const between = {};
        for (const key of Object.keys(dot.end)) {
          between[key] = dot.start[key] + eased * (dot.end[key] - dot.start[key]);
        }
        place(dot, between);
        if (share === 1 && dot.end.opacity === 0) {
          dot.anchor.remove();
          shown.delete(id);
        }
      }
      if (share < 1) showDots.frame = requestAnimationFrame(draw);
      else for (const one of now) dots.append(shown.get(one.id).anchor); // in the order of the ranks
    };
    draw(glides ? began : 0);
  }

  // The dots that the page came with.
  function adopt() {
    for (const anchor of dots.querySelectorAll("a")) {
      const [left, right] = anchor.querySelector(".interval").getAttribute("d").slice(1).split(" 0H").map(Number);
      const y = Number(anchor.getAttribute("transform").match(/[\d.]+(?=\))/)[0]);
      const at = Number(anchor.querySelector("circle").getAttribute("cx"));
      shown.set(anchor.dataset.player, { anchor, now: { x: at, left, right, y, opacity: 1 } });
    }
  }

  // The maps: one circle a point, named after the place of most events.

  function circles(events) {
    const points = maps.map(() => new Map());
    for (const [, , number] of events) {
      const [id, name, map, left, top] = data.places[number] ?? [];
      if (map === undefined) continue;
      const key = `${left} ${top}`;
      const point = points[map].get(key) ?? { left, top, total: 0, places: new Map() };
      const held = point.places.get(id) ?? { id, name, events: 0 };
      held.events += 1;
      point.total += 1;
      point.places.set(id, held);
      points[map].set(key, point);
    }
    const larger = (one, other) => other - one;
    return points.map((ofMap) => [...ofMap.values()].map((point) => {
      const places = [...point.places.values()].sort((a, b) => larger(a.events, b.events) || (a.id < b.id ? -1 : 1));
      return { ...point, places, radius: base + step * Math.sqrt(point.total) };
    }).sort((a, b) => larger(a.total, b.total) || (a.places[0].id < b.places[0].id ? -1 : 1)));
  }

  const boxOf = (one) =>
    [one.left - one.radius, one.top - one.radius, one.left + one.radius, one.top + one.radius];
  const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  function showMap(svg, points) {
    const names = [];
    const anchors = points.map((one) => {
      const anchor = drawn("a", { tabindex: -1, href: `${home}places/${one.places[0].id}.html` });
      const said = one.places.map(({ name, events }) => `${name}: ${events} ${events === 1 ? "event" : "events"}`);
      anchor.append(drawn("title", {}, said.join("; ")), drawn("circle", { cx: one.left, cy: one.top, r: one.radius.toFixed(1) }));
      return anchor;
    });
    const boxes = points.map(boxOf);
    const labels = points.flatMap((one, k) => {
      const { name } = one.places[0];
      const gap = one.radius + 3;
      for (const isLeft of [false, true]) {
        const left = isLeft ? one.left - gap - LETTER * name.length : one.left + gap;
        const box = [left, one.top - 6.5, left + LETTER * name.length, one.top + 6.5];
        const others = [...boxes.filter((_, j) => j !== k), ...names];
        if (box[0] < 0 || box[2] > 520 || others.some((other) => overlap(box, other))) continue;
        names.push(box);
        const at = { x: (isLeft ? one.left - gap : one.left + gap).toFixed(1), y: one.top, dy: "0.32em" };
        return [drawn("text", isLeft ? { ...at, "text-anchor": "end" } : at, name)];
      }
      return [];
    });
    svg.querySelector(".places").replaceChildren(...anchors);
    svg.querySelector(".names").replaceChildren(...labels);
  }

  // The words

  function showWords() {
    const now = entries(year);
    part("year").textContent = called(year);
    part("year").href = pageOf(year);
    part("table").replaceChildren(...now.map((one) => {
      const name = element("a", { href: `${home}players/${one.id}.html#y${year}` }, one.name);
      return element("tr", one.isGap ? { class: "gap" } : {},
        element("td", { class: "num" }, one.rank), element("th", { scope: "row" }, name),
        element("td", { class: "num" }, one.rating), element("td", { class: "num" }, one.deviation));
    }));
    const nobody = `Too few results for a ranking in ${called(year)}.`;
    root.querySelector("summary").textContent = now.length ? `The first ${now.length} as a table` : nobody;
    empty.textContent = now.length ? "" : nobody;
    const events = data.events[year] ?? [];
    const most = Number(root.dataset.most);
    const links = events.slice(0, most).flatMap(([id, name], k) =>
      [k ? ", " : "", element("a", { href: `${home}events/${id}.html` }, name)]);
    part("events").replaceChildren(...(events.length ? links : ["none on record"]));
    part("more").hidden = events.length <= most;
    part("more").textContent = `and ${events.length - most} more`;
    part("more").href = `${pageOf(year)}#events`;
    root.dataset.save = `time-${year}.svg`;
    root.dataset.title = `The leading ${root.dataset.game} players of ${called(year)}`;
    slider.value = year;
    slider.setAttribute("aria-valuetext", now.length ? `${called(year)}: ${now[0].name}` : called(year));
    for (const svg of strips) svg.querySelector(".cursor")?.remove();
    for (const svg of strips) markStrip(svg);
  }

  function markStrip(svg) {
    const [left, right] = svg.dataset.ends.split(" ").map(Number);
    const wide = (right - left) / (last + 1 - first);
    const at = left + (year - first + 0.5) * wide;
    const bottom = Number(svg.querySelector(".axis").getAttribute("d").match(/ ([\d.]+)H/)[1]);
    const mark = drawn("g", { class: "cursor" });
    mark.append(drawn("path", { class: "cursor-line", d: `M${at.toFixed(1)} ${bottom - 52}V${bottom}` }));
    svg.append(mark);
  }

  function rest() {
    const now = entries(year);
    const address = `?year=${year}${isEmbedded ? "&embed" : ""}${location.hash}`;
    history.replaceState(null, "", address);
    part("status").textContent = now.length ? `${called(year)}. ${now.slice(0, 3).map(words).join(". ")}.` : empty.textContent;
  }

  async function show(number, glides = true) {
    const asked = Math.min(Math.max(number, first), last);
    year = asked;
    await load();
    if (data === null) {
      location.href = pageOf(year); // the file is not there: the page of the year is
      return;
    }
    await loadEvents(year);
    if (year !== asked) return; // another year was asked for meanwhile
    loadEvents(year + (year % 10 > 4 ? 10 : -10)); // for whoever goes on
    showDots(glides && !isStill.matches);
    circles(data.events[year] ?? []).forEach((points, k) => showMap(maps[k], points));
    showWords();
    clearTimeout(resting);
    resting = setTimeout(rest, REST);
  }

  function stop() {
    root.querySelector(".why")?.remove();
    clearInterval(playing);
    playing = 0;
    player.textContent = "Play";
  }

  function play() {
    if (playing) return stop();
    if (year === last) show(first);
    player.textContent = "Pause";
    playing = setInterval(() => (year < last ? show(year + 1) : stop()), PLAY);
  }

  const slider = element("input", {
    type: "range", class: "curve-years", min: first, max: last, step: 1, value: year, "aria-label": "Year",
  });
  const empty = drawn("text", { x: LEFT + 10, y: TOP + 5 * ROW });
  const player = element("button", { type: "button" }, "Play");
  const button = (text, aria, act) => {
    const made = element("button", { type: "button", ...(aria ? { "aria-label": aria } : {}) }, text);
    made.addEventListener("click", act);
    return made;
  };
  const move = (years) => () => { stop(); show(year + years); };

  // The year of the strip at the pointer.
  function yearAt(svg, event) {
    const [left, right] = svg.dataset.ends.split(" ").map(Number);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return first + Math.floor(((at.x - left) / (right - left)) * (last + 1 - first));
  }

  // The slider is as long as the strip that is shown, if one is.
  function alignSlider() {
    const svg = strips.find((one) => one.getBoundingClientRect().width);
    if (!svg) {
      Object.assign(slider.style, { marginLeft: "0", width: "100%" });
      return;
    }
    const { width } = svg.viewBox.baseVal;
    const [left, right] = svg.dataset.ends.split(" ").map(Number);
    const half = (right - left) / (last + 1 - first) / 2;
    const across = svg.getBoundingClientRect();
    const begin = across.left - svg.parentElement.getBoundingClientRect().left;
    const share = (length) => (length / width) * across.width;
    slider.style.marginLeft = `calc(${(begin + share(left + half)).toFixed(1)}px - var(--thumb) / 2)`;
    slider.style.width = `calc(${share(right - left - 2 * half).toFixed(1)}px + var(--thumb))`;
  }

  const told = element("span", { class: "status", role: "status" });
  const tell = (text) => { told.textContent = text; };
  const addressOf = (query) => new URL(`${root.dataset.root}${query}`, location.href).href;
  const frame = () =>
    `<iframe src="${addressOf(`?year=${year}&embed`)}" width="100%" height="600" title="${root.dataset.title}"></iframe>`;

  function listen() {
    slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
    moveFar(slider, (years) => move(years)());
    addEventListener("keydown", (event) => {
      const years = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const isHere = event.target === document.body || root.contains(event.target);
      if (!years || !isHere || event.target.closest("input, .scroll") || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      move(years)();
    });
    for (const kind of ["pointerdown", "focus"]) slider.addEventListener(kind, load, { once: true });
    player.addEventListener("click", play);
    for (const svg of strips) {
      svg.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        move(yearAt(svg, event) - year)();
      });
    }
    addEventListener("resize", alignSlider);
  }

  // Why another year is shown than the address asks for.
  function explain(why) {
    root.querySelector("h2").after(element("p", { className: "reason why", role: "status" }, why));
  }

  function begin() {
    root.classList.add("moves");
    document.documentElement.classList.toggle("embedded", isEmbedded);
    const controls = element("div", { class: "controls" },
      button("‹", "The year before", move(-1)), button("›", "The year after", move(1)), player);
    root.querySelector("h2").after(controls, slider);
    root.querySelector(".figure-ways").append(
      button("Copy the link", "", () => copy(addressOf(`?year=${year}`), tell, "The link is copied.")),
      button("Copy the code to embed", "", () => copy(frame(), tell, "The code is copied.")), told);
    if (isEmbedded) {
      const site = element("p", { class: "from" }, element("a", { href: home || "index.html" }, document.title));
      root.append(site);
      root.addEventListener("click", (event) => {
        const anchor = event.target.closest("a");
        if (anchor) Object.assign(anchor, { target: "_blank", rel: "noopener" });
      });
    }
    chart.append(empty);
    adopt();
    alignSlider();
    strips.forEach(markStrip);
    slider.setAttribute("aria-valuetext", called(year));
    listen();
    const wanted = given.get("year") ?? "";
    if (!/^\d{3,4}$/.test(wanted)) return;
    if (Number(wanted) < first) explain(`In ${wanted} nobody has a rank: ${first} is the first year shown.`);
    if (Number(wanted) > last) explain(`There are no ratings for ${wanted}: ${last} is the last year.`);
    if (Number(wanted) !== year) show(Number(wanted), false);
  }

  begin();
})();
