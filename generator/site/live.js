// On the local server alone: a page that shows a build reloads after the next one; a build that
// failed is said on it.
(function () {
  "use strict";
  const BOX = "position: fixed; inset: auto 0 0 0; z-index: 99; margin: 0; padding: 1rem; max-height: 40vh; overflow: auto; " +
    "background: #8f1f16; color: #fff; font: 13px/1.5 monospace; white-space: pre-wrap";

  const { changes = "" } = document.currentScript?.dataset || {};
  new EventSource(changes).onmessage = function (event) {
    const error = JSON.parse(event.data);
    if (!error) {
      location.reload();
      return;
    }
    let box = document.getElementById("fb-build-error");
    if (!box) {
      box = document.createElement("pre");
      box.id = "fb-build-error";
      box.style.cssText = BOX; // allowed where a style attribute in a page is not
      document.body.append(box);
    }
    box.textContent = error;
  };
})();
