// Fills the page on reporting an error with the page, edition and version named in its address.
"use strict";
(() => {
  const asked = new URLSearchParams(location.search);

  function fill(name) {
    const place = document.getElementById(`reported-${name}`);
    const text = asked.get(name);
    if (place && text) place.textContent = text.slice(0, 300);
  }

  ["page", "edition", "version"].forEach(fill);
})();
