// What must be done before Material's own script runs.
(function () {
  "use strict";

  // Material takes ?q= for its own box and opens it; on a page with a box to ask it is this one's.
  const address = new URL(location.href);
  const asked = address.searchParams.get("q");
  if (asked !== null && document.querySelector("[data-fb-diagnose]")) {
    address.searchParams.delete("q");
    history.replaceState({ asked }, "", address);
  }

  // On file://, which starts no workers, the page does the work of the search.
  const here = document.currentScript;
  if (location.protocol === "file:" && here instanceof HTMLScriptElement) {
    const worker = new URL("diagnose/search_worker.js", here.src);
    document.write('<script src="' + worker + '"></' + "script>");
  }
})();
