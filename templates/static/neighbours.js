// On pages that come one after the other, the left and right arrow keys lead to the one before and after.
"use strict";

addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!rel || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  // There the keys move a cursor or scroll a table.
  if (event.target.closest("input, select, textarea, [contenteditable], .scroll")) return;
  document.querySelector(`main a[rel="${rel}"]`)?.click();
});
