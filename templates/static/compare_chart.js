// Draws the curves of the players compared, each in a colour and with a sign of its own.
// In: an SVG element and what is to be seen. Out: where each year lies, for pointer and slider.
"use strict";

(() => {
  const { drawn } = window.edoDom;
  const [LEFT, TOP, BOTTOM] = [48, 14, 34]; // margins, in pixels
  const ROOM = 560; // [px] from which there is room for names at the curves
  const LETTER = 7.6; // [px] about the width of a letter of a name
  const LINE = 17; // [px] between two names
  const STEPS = [1, 2, 5, 10, 20, 50];
  const SIGNS = [
    (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
    (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
    (r) => `M0 ${-1.25 * r}L${1.2 * r} ${r}H${-1.2 * r}Z`,
    (r) => `M0 ${-1.4 * r}L${1.4 * r} 0L0 ${1.4 * r}L${-1.4 * r} 0Z`,
    (r) => `M0 ${1.25 * r}L${1.2 * r} ${-r}H${-1.2 * r}Z`,
    (r) => `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`,
  ];

  const line = (number) => `line-${"abcdef"[number]}`;

  function sign(number, radius, x = 0, y = 0) {
    const place = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
    return drawn("path", { class: "sign", d: SIGNS[number](radius), transform: place });
  }

  // The sign by which a player is known, for the list of names.
  function badge(number) {
    const svg = drawn("svg", { class: `badge ${line(number)}`, viewBox: "-14 -8 28 16" });
    svg.setAttribute("aria-hidden", "true");
    svg.append(drawn("path", { class: "curve", d: "M-14 0H14" }), sign(number, 5));
    return svg;
  }

  function ticks(first, last, most) {
    const step = STEPS.find((one) => (last - first) / one < most) ?? 100;
    const from = Math.ceil(first / step);
    return [...Array(Math.floor(last / step) - from + 1).keys()].map((k) => (from + k) * step);
  }

  // Where keys and ratings lie; at least ten years wide, so that a short career does not fill it.
  function scaleOf(width, keys, curves) {
    const all = curves.flatMap((curve) => curve.points);
    const low = Math.floor(Math.min(...all.map((p) => p.rating - p.deviation)) / 100) * 100;
    const high = Math.ceil(Math.max(...all.map((p) => p.rating + p.deviation)) / 100) * 100;
    const hasNames = width >= ROOM;
    const longest = Math.max(...curves.map((curve) => curve.label.length));
    const right = width - (hasNames ? 14 + LETTER * longest : 14);
    const bottom = TOP + Math.max(hasNames ? 340 : 260, ((high - low) / 100) * (hasNames ? 40 : 26));
    const [first, last] = [keys[0], keys[keys.length - 1]];
    const lacking = Math.max(0, 10 - (last - first));
    const [begin, end] = [first - Math.floor(lacking / 2), last + Math.ceil(lacking / 2)];
    return {
      low, high, bottom, right, begin, end, hasNames, left: LEFT, top: TOP,
      x: (key) => LEFT + ((key - begin) / (end - begin)) * (right - LEFT),
      y: (rating) => TOP + ((high - rating) / (high - low)) * (bottom - TOP),
      keyAt: (x) => Math.round(begin + ((x - LEFT) / (right - LEFT)) * (end - begin)),
    };
  }

  function* axes(scale) {
    for (let rating = scale.low; rating <= scale.high; rating += 100) {
      const y = scale.y(rating);
      yield drawn("path", { class: "grid", d: `M${LEFT} ${y}H${scale.right}` });
      yield drawn("text", { class: "rating-tick", x: LEFT - 8, y, dy: "0.32em" }, String(rating));
    }
    yield drawn("path", { class: "axis", d: `M${LEFT} ${scale.bottom}H${scale.right}` });
    for (const key of ticks(scale.begin, scale.end, scale.hasNames ? 12 : 5)) {
      const place = { x: scale.x(key), y: scale.bottom + 22 };
      yield drawn("path", { class: "axis", d: `M${place.x} ${scale.bottom}v5` });
      yield drawn("text", { class: "year-tick", ...place }, String(key));
    }
  }

  // Runs of neighbouring points of one kind; a link is a gap where one of its ends has no results.
  function runs(points) {
    const found = [];
    points.slice(1).forEach((point, k) => {
      const isGap = point.isGap || points[k].isGap;
      const run = found[found.length - 1];
      if (run && run.isGap === isGap) run.points.push(point);
      else found.push({ isGap, points: [points[k], point] });
    });
    return found;
  }

  function curveOf({ points, number }, scale) {
    const group = drawn("g", { class: line(number) });
    const at = (point, more) => `${scale.x(point.key).toFixed(1)},${scale.y(point.rating + more).toFixed(1)}`;
    for (const { isGap, points: run } of runs(points)) {
      const upper = run.map((point) => at(point, point.deviation));
      const lower = run.map((point) => at(point, -point.deviation)).reverse();
      const kind = isGap ? "band band-wide" : "band";
      group.append(drawn("polygon", { class: kind, points: [...upper, ...lower].join(" ") }));
      const path = run.map((point) => at(point, 0)).join(" ");
      group.append(drawn("polyline", { class: isGap ? "curve-gap" : "curve", points: path }));
    }
    if (points.length === 1) {
      const [x, high] = at(points[0], points[0].deviation).split(",");
      const low = at(points[0], -points[0].deviation).split(",")[1];
      group.append(drawn("path", { class: "whisker", d: `M${x} ${high}V${low}` }));
    }
    const isDense = points.length > 1 && scale.x(points[1].key) - scale.x(points[0].key) < 9;
    for (const point of points.filter((one) => !one.isGap)) {
      group.append(sign(number, isDense ? 2.6 : 4, scale.x(point.key), scale.y(point.rating)));
    }
    return group;
  }

  // A name at the end of each curve, moved down where another one stands. The names of curves that end near the
  // margin stand in it, where no other curve runs through them.
  function* names(curves, scale) {
    const placed = [];
    const width = (name) => name.label.length * LETTER;
    const ends = curves.map(({ points, label, number }) => {
      const end = points[points.length - 1];
      const x = scale.x(end.key);
      return { label, number, x: (x + width({ label }) + 9 > scale.right ? scale.right : x) + 9, y: scale.y(end.rating) };
    });
    for (const one of ends.sort((a, b) => a.y - b.y)) {
      for (const other of placed) {
        const isBeside = one.x < other.x + width(other) && other.x < one.x + width(one);
        if (isBeside && one.y < other.y + LINE) one.y = other.y + LINE;
      }
      placed.push(one);
      yield drawn("text", { class: `name ${line(one.number)}`, x: one.x, y: one.y, dy: "0.32em" }, one.label);
    }
  }

  // Draw curves [{ points, label, number }] over the keys; returns the scale.
  function draw(svg, keys, curves, words) {
    const width = Math.max(280, svg.parentElement.clientWidth);
    const scale = scaleOf(width, keys, curves);
    svg.setAttribute("viewBox", `0 0 ${width} ${Math.round(scale.bottom + BOTTOM)}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", words);
    svg.replaceChildren(...axes(scale), ...curves.map((curve) => curveOf(curve, scale)));
    if (scale.hasNames) svg.append(...names(curves, scale));
    svg.append(drawn("g", { class: "cursor", "data-passing": "" }));
    return scale;
  }

  // The line at a key, with a ring on each curve.
  function mark(svg, scale, key, points) {
    const x = scale.x(key);
    const rings = points.map((point) =>
      drawn("circle", { class: "cursor-point", cx: x, cy: scale.y(point.rating), r: 7 }));
    const rule = drawn("path", { class: "cursor-line", d: `M${x} ${scale.top}V${scale.bottom}` });
    svg.querySelector(".cursor").replaceChildren(rule, ...rings);
  }

  Object.assign(window.edoCompare, { badge, draw, mark });
})();
