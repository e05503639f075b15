// What is asked before the scripts that answer have arrived, which a slow line or a busy machine
// brings late. Without this a browser would send the form, that is load the page anew, and the
// question would be gone.
(function () {
  "use strict";

  /**
   * Keep the question for diagnose/page.js, which answers it and takes over from then on.
   * @param {HTMLFormElement} form
   * @param {string} [text] in place of what is in the box
   */
  function keep(form, text) {
    const area = form.querySelector("textarea");
    if (area && text !== undefined) area.value = text;
    form.dataset.fbPressed = "";
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-fb-diagnose]")) return;
    event.preventDefault();
    if (!("fbReady" in form.dataset)) keep(form);
  });
  document.addEventListener("click", (event) => {
    const example = event.target instanceof Element && event.target.closest("[data-fb-try]");
    if (!(example instanceof HTMLButtonElement) || !example.form || "fbReady" in example.form.dataset) return;
    keep(example.form, example.dataset.fbTry);
  });
})();
