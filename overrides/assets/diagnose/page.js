// The diagnosis page: a text area, files, progress, and the answer.
(function () {
  "use strict";
  const here = new URL("./", document.currentScript.src).href;
  const form = document.querySelector("[data-fb-diagnose]");
  if (!form) return;

  const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const words = fixbook.use("words").wordsOf(lang);
  const { dropped, chosen } = fixbook.use("files");
  const { view } = fixbook.use("view");
  const runner = new (fixbook.use("runner").Runner)(here);

  const area = form.querySelector("textarea");
  const zone = form.querySelector("[data-fb-drop]");
  const status = document.getElementById("fb-diagnose-status");
  const out = document.getElementById("fb-diagnose-answer");
  let due = 0;
  let files = [];

  function say(...parts) {
    status.replaceChildren(...parts);
  }

  /** Tell what the heading shows to those who do not see it appear. */
  function announce(text) {
    const said = document.createElement("span");
    said.className = "fb-diag__said";
    said.textContent = text;
    say(said);
  }

  function waiting(total) {
    const bar = document.createElement("progress");
    bar.max = total || 1;
    bar.setAttribute("aria-label", words.reading);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fb-button";
    button.textContent = words.cancel;
    button.addEventListener("click", () => {
      runner.cancel();
      say(words.cancelled);
    });
    say(words.reading + " ", bar, " ", button);
    return (bytes) => (bar.value = bytes);
  }

  async function fixes() {
    if (!fixbook.data.advice) {
      await new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = here + "../../search/advice.js";
        script.onload = resolve;
        script.onerror = () => reject(new Error("advice.js"));
        document.head.append(script);
      });
    }
    return fixbook.data.advice.html;
  }
  const ready = fixes();
  ready.catch(() => {});

  /** @param {{name: string, blob: Blob}[]} logs */
  async function diagnose(logs) {
    clearTimeout(due);
    out.replaceChildren();
    if (!logs.some(({ blob }) => blob.size)) {
      say(words.empty);
      return;
    }
    const progress = waiting(logs.reduce((sum, { blob }) => sum + blob.size, 0));
    out.setAttribute("aria-busy", "true");
    try {
      const result = await runner.run(logs, progress);
      const site = { lang, root: new URL("../../", here).href, fixes: await ready };
      out.replaceChildren(...view(result, site));
      const found = result.answer.answer;
      announce(found ? words[result.answer.kind] + words.colon + found.title : words.unknown);
    } catch (error) {
      if (error) say(words.failed + error.message);
    } finally {
      out.removeAttribute("aria-busy");
    }
  }

  function diagnoseText() {
    files = [];
    diagnose([{ name: "", blob: new Blob([area.value]) }]);
  }

  function diagnoseFiles(logs) {
    files = logs;
    area.value = "";
    diagnose(logs);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (area.value.trim() || !files.length) diagnoseText();
    else diagnose(files);
  });
  area.addEventListener("paste", () => {
    due = setTimeout(diagnoseText, 0); // after the text has arrived
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) diagnoseText();
  });
  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      if (input.files.length) diagnoseFiles(chosen(input.files));
      input.value = "";
    });
  }
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      zone.classList.add("fb-diag__drop--over");
    });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("fb-diag__drop--over"));
  zone.addEventListener("drop", async (event) => {
    zone.classList.remove("fb-diag__drop--over");
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    diagnoseFiles(await dropped(event.dataTransfer));
  });
})();
