// The diagnosis page: a text area, files, progress, and the answer. A log is diagnosed, a
// configuration is checked; which of them it is the text tells, or the button.
(function () {
  "use strict";
  const here = new URL("./", document.currentScript.src).href;
  const form = document.querySelector("[data-fb-diagnose]");
  if (!form) return;

  const { lang, words } = fixbook.use("constants");
  const { dropped, chosen } = fixbook.use("files");
  const { view } = fixbook.use("view");
  const { configView } = fixbook.use("config_view");
  const { isConfig, isConfigName } = fixbook.use("kind");
  const runner = new (fixbook.use("runner").Runner)(here);
  const checker = new (fixbook.use("config_runner").ConfigRunner)(here);

  const area = form.querySelector("textarea");
  const tool = form.querySelector("[data-fb-tool]");
  const zone = form.querySelector("[data-fb-drop]");
  const status = document.getElementById("fb-diagnose-status");
  const out = document.getElementById("fb-diagnose-answer");
  let due = 0;
  let turn = 0;
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

  /** @param {number} [total] bytes; without it nobody knows how far it is */
  function waiting(label, total) {
    const bar = document.createElement("progress");
    if (total) bar.max = total;
    bar.setAttribute("aria-label", label);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fb-button";
    button.textContent = words.cancel;
    button.addEventListener("click", () => {
      runner.cancel();
      checker.cancel();
      say(words.cancelled);
    });
    say(label + " ", bar, " ", button);
    return (bytes) => (bar.value = bytes);
  }

  async function advice() {
    if (!fixbook.data.advice) {
      await new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = here + "../../search/advice.js";
        script.onload = resolve;
        script.onerror = () => reject(new Error("advice.js"));
        document.head.append(script);
      });
    }
    return fixbook.data.advice;
  }
  const ready = advice();
  ready.catch(() => {});

  /**
   * @param {{name: string, blob: Blob}[]} given
   * @param {function} answer returns what to show and what to say of it
   */
  async function work(given, answer) {
    clearTimeout(due);
    const mine = ++turn;
    out.replaceChildren();
    if (!given.some(({ blob }) => blob.size)) {
      say(words.empty);
      return;
    }
    out.setAttribute("aria-busy", "true");
    try {
      const { parts, said } = await answer(given);
      if (mine !== turn) return;
      out.replaceChildren(...parts);
      announce(said);
    } catch (error) {
      if (error && mine === turn) say(words.failed + error.message);
    } finally {
      if (mine === turn) out.removeAttribute("aria-busy");
    }
  }

  async function site() {
    const { html, titles } = await ready;
    return { lang, root: new URL("../../", here).href, fixes: html, titles };
  }

  async function diagnose(logs) {
    const progress = waiting(words.reading, logs.reduce((sum, { blob }) => sum + blob.size, 0));
    const result = await runner.run(logs, progress);
    const found = result.answer.answer;
    const said = found ? words[result.answer.kind] + words.colon + found.title : words.unknown;
    return { parts: view(result, await site()), said };
  }

  async function check(configs) {
    if (location.protocol === "file:") throw new Error(words.served);
    waiting(words.loading);
    const report = await checker.run(configs, lang, tool.value.trim());
    const parts = configView(report, await site());
    return { parts, said: parts[0].textContent };
  }

  /** What is in the text area, else the files that were chosen last. */
  function given() {
    if (area.value.trim()) files = [];
    return files.length ? files : [{ name: "", blob: new Blob([area.value]) }];
  }

  /** Leave it to the text, or to the names of the files, which of the two it is. */
  function read() {
    const now = given();
    const config = files.length ? files.every(({ name }) => isConfigName(name)) : isConfig(area.value);
    work(now, config ? check : diagnose);
  }

  function readFiles(chosenFiles) {
    files = chosenFiles;
    area.value = "";
    read();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(given(), diagnose);
  });
  form.querySelector("[data-fb-check]").addEventListener("click", () => work(given(), check));
  tool.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // which would be the first button
    work(given(), check);
  });
  area.addEventListener("paste", () => {
    due = setTimeout(read, 0); // after the text has arrived
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read();
  });
  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      if (input.files.length) readFiles(chosen(input.files));
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
    readFiles(await dropped(event.dataTransfer));
  });
})();
