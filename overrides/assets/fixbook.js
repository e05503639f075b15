// What Material leaves open: search from a mouse paste, the place on the page and
// the choice when the language is switched, a list that narrows, and regions that assistive technology can name and reach.
(function () {
  "use strict";

  /** @type {HTMLInputElement | null} */
  const query = document.querySelector("input[data-md-component=search-query]");
  /** @type {HTMLInputElement | null} */
  const toggle = document.querySelector("input#__search");

  // Material opens the first result on Enter. One that is only near by words is chosen, not opened;
  // and stays chosen where the list is written anew for the last letters that were typed before.
  const results = document.querySelector("[data-md-component=search-result]");
  let chosen = false;
  const guess = function () {
    /** @type {HTMLAnchorElement | null | undefined} */
    const first = results?.querySelector("a[href]");
    return first?.querySelector(".fb-found__tag--near, .fb-found__tag--none") ? first : null;
  };
  query?.addEventListener("input", () => (chosen = false));
  query?.addEventListener("keydown", function (event) {
    const first = event.key === "Enter" && guess();
    if (!first) return;
    event.preventDefault();
    event.stopPropagation();
    chosen = true;
    first.focus();
  });
  if (results) {
    const again = new MutationObserver(function () {
      if (chosen && document.activeElement === document.body) guess()?.focus();
    });
    again.observe(results, { childList: true, subtree: true });
  }

  if (query && toggle) {
    // Material searches on 'keyup' only; a paste from the menu or a dropped text fires 'input'.
    const search = function () {
      query.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
    };
    query.addEventListener("input", search);
  }

  // Both languages have the same anchors: the reader is at the first heading in the upper half of the
  // window, or else under the last one above it.
  function here() {
    if (scrollY < 40) return "";
    const heads = [...document.querySelectorAll(".md-content :is(h2, h3, h4)[id]")].filter((head) => head.getClientRects().length);
    const top = (/** @type {Element} */ head) => head.getBoundingClientRect().top;
    const above = heads.filter((head) => top(head) < -20);
    const at = heads.find((head) => top(head) >= -20 && top(head) < innerHeight / 2) || above[above.length - 1];
    return at && at.id !== "answer" ? at.id : location.hash;
  }

  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-fb-language]"))) {
    link.addEventListener("click", function () {
      link.hash = here();
      try {
        localStorage.setItem("fixbook.lang", link.dataset.fbLanguage || "");
      } catch {
        // Storage is off: the root page falls back to the browser's language.
      }
    });
  }

  // The list of entries: a kind of failure or a project in the address narrows it, and so do words.
  const facets = document.querySelector("[data-fb-facets]");
  if (facets) {
    const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (facets.querySelectorAll("a[id]"))];
    const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-fb-tags]"))];
    const texts = rows.map((row) => `${row.textContent} ${row.dataset.fbTags}`.toLowerCase());
    const words = /** @type {HTMLInputElement} */ (facets.querySelector("input"));
    const count = /** @type {HTMLElement} */ (facets.querySelector("[role=status]"));
    for (const link of links) link.href = "#" + link.id; // without a script a kind has a page
    words.closest("p")?.removeAttribute("hidden");

    const narrow = function () {
      const chosen = links.find((link) => link.hash === location.hash);
      for (const link of links) {
        if (link === chosen) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      const asked = words.value.toLowerCase().split(/\s+/);
      rows.forEach((row, at) => {
        const tagged = !chosen || (row.dataset.fbTags || "").split(" ").includes(chosen.id);
        row.hidden = !tagged || !asked.every((word) => texts[at].includes(word));
      });
      for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".fb-group"))) {
        group.hidden = !group.querySelector("[data-fb-tags]:not([hidden])");
      }
      count.textContent = `${rows.filter((row) => !row.hidden).length} / ${rows.length}`;
    };
    addEventListener("hashchange", narrow);
    words.addEventListener("input", narrow);
    narrow();
  }

  // What is folded is printed, too.
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", function () {
    unfolded = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details:not([open])"))];
    for (const fold of unfolded) fold.open = true;
  });
  addEventListener("afterprint", function () {
    for (const fold of unfolded) fold.open = false;
  });

  // Whatever scrolls must be reachable with the keyboard.
  function reach() {
    for (const area of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".md-typeset__scrollwrap, .tabbed-labels, .fb-facets p"))) {
      if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
      else area.removeAttribute("tabindex");
    }
    for (const code of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("pre > code"))) {
      if (code.scrollHeight > code.clientHeight || code.scrollWidth > code.clientWidth) code.tabIndex = 0;
    }
  }

  // Material compares the labels' innerText, which is empty in what is folded away.
  for (const set of document.querySelectorAll("details .tabbed-set")) {
    const labels = [.../** @type {NodeListOf<HTMLLabelElement>} */ (set.querySelectorAll(":scope > .tabbed-labels > label"))];
    const names = labels.map((label) => (label.textContent || "").trim());
    const chosen = (__md_get("__tabs") || []).find((tool) => names.includes(tool));
    const input = chosen && document.getElementById(labels[names.indexOf(chosen)].htmlFor);
    if (input instanceof HTMLInputElement) input.checked = true;
  }

  let due = 0;
  function soon() {
    clearTimeout(due);
    due = setTimeout(reach, 150); // measuring forces layout: once, after the page has settled
  }
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
  document.fonts.ready.then(soon); // a code font that comes late is wider
  soon();
})();
