// What Material leaves open: search from a mouse paste, the home page's search box, the language
// that was chosen, and regions that assistive technology can name and reach.
(function () {
  "use strict";

  const query = document.querySelector("[data-md-component=search-query]");
  const toggle = document.getElementById("__search");

  // Material searches on 'keyup' only; a paste from the menu or a dropped text fires 'input'.
  function search() {
    query.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  }

  function openSearch(text) {
    if (!toggle.checked) toggle.click();
    query.value = text;
    query.focus();
    search();
  }

  if (query && toggle) {
    query.addEventListener("input", search);
    for (const form of document.querySelectorAll("[data-fb-search]")) {
      const box = form.querySelector("input");
      const hand = function () {
        const text = box.value;
        box.value = "";
        openSearch(text);
      };
      box.addEventListener("input", hand);
      box.addEventListener("click", hand);
      form.addEventListener("submit", function (event) {
        event.preventDefault();
        hand();
      });
    }
  }

  for (const link of document.querySelectorAll("[data-fb-language]")) {
    link.addEventListener("click", function () {
      link.hash = location.hash;
      try {
        localStorage.setItem("fixbook.lang", link.dataset.fbLanguage);
      } catch (error) {
        // Storage is off: the root page falls back to the browser's language.
      }
    });
  }

  // Copy buttons sit in one unnamed <nav> each; landmarks of a page need names of their own.
  let named = 0;
  function name() {
    for (const nav of document.querySelectorAll(".md-code__nav:not([aria-label])")) {
      named += 1;
      nav.setAttribute("aria-label", (nav.firstElementChild ? nav.firstElementChild.title : "") + " " + named);
    }
  }

  // Whatever scrolls sideways must be reachable with the keyboard.
  function reach() {
    for (const area of document.querySelectorAll(".md-typeset__scrollwrap")) {
      if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
      else area.removeAttribute("tabindex");
    }
  }

  // Material compares the labels' innerText, which is empty in what is folded away.
  for (const set of document.querySelectorAll("details .tabbed-set")) {
    const labels = [...set.querySelectorAll(":scope > .tabbed-labels > label")];
    const chosen = (__md_get("__tabs") || []).find(function (tool) {
      return labels.some((label) => label.textContent.trim() === tool);
    });
    const label = labels.find((one) => one.textContent.trim() === chosen);
    if (label) document.getElementById(label.htmlFor).checked = true;
  }

  let due = 0;
  function soon() {
    name();
    clearTimeout(due);
    due = setTimeout(reach, 150); // measuring forces layout: once, after the page has settled
  }
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
  soon();
})();
