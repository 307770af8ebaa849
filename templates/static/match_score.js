// The score of a match that was never played: its distribution, and the drawing of it.
// The same as edo/rating/hypothetical_match.py and edo/site/charts/match_score.py, which say why.
"use strict";

(() => {
  const { drawn } = window.edoDom;
  const [FARTHEST, STEP, TAIL, DECADE] = [4, 0.1, 0.05, 10];
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [480, 190, 16, 464, 34, 158];
  const [GAP, MOST_TICKS, STEPS] = [0.2, 10, [1, 2, 5, 10, 20]];

  // How often equals drew in a year at a rating.
  function drawShare({ first, shares, edges }, year, rating) {
    if (!shares.length) return 0;
    const row = Math.min(Math.max(Math.floor((year - first) / DECADE), 0), shares.length - 1);
    return shares[row][edges.filter((edge) => edge <= rating).length];
  }

  // The probabilities of win, draw and loss at an expected score, by Davidson's model.
  function outcomes(expected, share) {
    const kappa = (2 * share) / (1 - share);
    const above = kappa * (expected - 0.5);
    const x = (above + Math.sqrt(above ** 2 + 4 * expected * (1 - expected))) / (2 * (1 - expected));
    const whole = x ** 2 + kappa * x + 1;
    return [x ** 2 / whole, (kappa * x) / whole, 1 / whole];
  }

  function scoreAt([win, draw, loss], games) {
    let score = [1, ...Array(2 * games).fill(0)];
    for (let game = 0; game < games; game += 1) {
      score = score.map((p, k) => p * loss + (k > 0 ? score[k - 1] * draw : 0) + (k > 1 ? score[k - 2] * win : 0));
    }
    return score;
  }

  // The probability of each number of half points of the first, and what follows from it.
  function matchScore(lead, deviation, share, games) {
    const reach = Math.round(FARTHEST / STEP);
    const probability = Array(2 * games + 1).fill(0);
    let whole = 0;
    for (let step = -reach; step <= reach; step += 1) {
      const z = step * STEP;
      const weight = Math.exp(-(z ** 2) / 2);
      whole += weight;
      const score = scoreAt(outcomes(window.edoCompare.share(lead + deviation * z), share), games);
      score.forEach((p, k) => { probability[k] += weight * p; });
    }
    probability.forEach((p, k) => { probability[k] = p / whole; });
    const sum = (part) => part.reduce((total, p) => total + p, 0);
    const within = (least) => {
      let total = 0;
      return probability.findIndex((p) => (total += p) >= least) / 2;
    };
    return {
      games, probability,
      expected: probability.reduce((total, p, k) => total + k * p, 0) / 2,
      chances: [sum(probability.slice(games + 1)), probability[games], sum(probability.slice(0, games))],
      range: [within(TAIL), within(1 - TAIL)],
    };
  }

  const short = (x) => String(Math.round(10 * x) / 10);

  function bars({ games, probability }, first, last) {
    const room = (RIGHT - LEFT) / (2 * games + 1);
    const width = room * (1 - GAP);
    const highest = Math.max(...probability);
    return probability.slice(first, last + 1).map((p, k) => {
      const height = short((p / highest) * (BOTTOM - TOP));
      if (Number(height) <= 0) return "";
      const left = LEFT + room * (first + k + 0.5) - width / 2;
      return `M${left.toFixed(1)} ${BOTTOM}v-${height}h${width.toFixed(1)}v${height}z`;
    }).join("");
  }

  // `words` stand at the left for the second player, at the right for the first, `label` is read out.
  function drawMatch(svg, score, words, label) {
    const { games } = score;
    const step = STEPS.find((one) => games / one <= MOST_TICKS) ?? STEPS.at(-1);
    const at = (points) => short(LEFT + ((2 * points + 0.5) / (2 * games + 1)) * (RIGHT - LEFT));
    const ticks = [...Array(Math.floor(games / step) + 1).keys()].flatMap((k) => [
      drawn("path", { class: "grid", d: `M${at(k * step)} 26V${BOTTOM}` }),
      drawn("text", { class: "year-tick", x: at(k * step), y: HEIGHT - 10 }, String(k * step)),
    ]);
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label })) {
      svg.setAttribute(name, value);
    }
    svg.replaceChildren(
      ...ticks,
      drawn("path", { class: "lost", d: bars(score, 0, games - 1) }),
      drawn("path", { class: "drawn", d: bars(score, games, games) }),
      drawn("path", { class: "won", d: bars(score, games + 1, 2 * games) }),
      drawn("path", { class: "axis", d: `M${LEFT} ${BOTTOM}H${RIGHT}` }),
      drawn("text", { class: "side", x: LEFT, y: 18 }, words[1]),
      drawn("text", { class: "side won", x: RIGHT, y: 18 }, words[0]),
    );
  }

  Object.assign(window.edoCompare, { drawShare, matchScore, drawMatch });
})();
