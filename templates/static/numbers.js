// Numbers as the pages print them, for what is computed in the browser: the same rules as in
// edo/core/formats.py. Numbers of the build itself come printed and are not rounded again.
"use strict";

window.edoNumbers = (() => {
  const rounded = (x) => (x < 0 ? -Math.round(-x) : Math.round(x));
  const whole = (x) => String(rounded(x)).replace("-", "−").replace(/^−0$/, "0");
  const signed = (x) => (rounded(x) > 0 ? `+${whole(x)}` : whole(x));
  const rated = (it) => `${whole(it.rating)} (${whole(it.deviation)})`;
  function chance(p) {
    if (p < 0.01) return "<1%";
    return p > 0.99 ? ">99%" : `${Math.round(100 * p)}%`;
  }
  function score(points) {
    const quarters = Math.round(points * 4e5) / 1e5;
    if (!Number.isInteger(quarters)) return points.toFixed(2);
    const full = Math.floor(quarters / 4);
    const part = ["", "¼", "½", "¾"][quarters % 4];
    return (full || !part ? String(full) : "") + part;
  }

  // Shares of games, of which only totals tell, are rounded.
  function pointsOfGames(points, games) {
    if (games < 1 || Number.isInteger(Math.round(games * 4e6) / 1e6)) return `${score(points)}/${score(games)}`;
    return `≈${score(Math.floor(2 * points + 0.5) / 2)}/${Math.round(games)}`;
  }

  return { whole, signed, rated, chance, score, pointsOfGames };
})();
