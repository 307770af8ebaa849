// Fills the page on reporting an error with the page named in its address.
"use strict";
(() => {
  const page = new URLSearchParams(location.search).get("page");
  if (page) document.getElementById("reported-page").textContent = page.slice(0, 300);
})();
