"use strict";
// Asks the preview now and then whether the page is still of the newest edition; if not, loads it anew.
(() => {
  const own = document.currentScript;
  const version = own.dataset.version;
  const address = new URL("version", own.src);
  const pause = 300; // [ms]

  const ask = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(address, { cache: "no-store" });
        if (answer.ok && (await answer.text()) !== version) {
          window.location.reload();
          return;
        }
      } catch {
        // the preview was ended; it may be begun again
      }
    }
    setTimeout(ask, pause);
  };

  setTimeout(ask, pause);
})();
