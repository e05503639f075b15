// The diagnosis page: a text area, files, progress, and the answer. A log is diagnosed, a
// configuration is checked; which of them it is the text tells, or the button.
(function () {
  "use strict";
  const here = new URL("./", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const form = document.querySelector("[data-fb-diagnose]");
  if (!(form instanceof HTMLFormElement)) return;

  const { lang, words } = fixbook.use("constants");
  const texts = new (fixbook.use("texts").Texts)(here);
  const { take } = fixbook.use("files");
  const { view } = fixbook.use("view");
  const { adviceOf } = fixbook.use("advice");
  const { configView } = fixbook.use("config_view");
  const { isConfig, isConfigName } = fixbook.use("kind");
  const { el } = fixbook.use("dom");
  const place = fixbook.use("place");
  const { Runner } = fixbook.use("runner");
  /** @type {InstanceType<typeof Runner> | null} */
  let started = null;
  const checker = new (fixbook.use("config_runner").ConfigRunner)(here);

  const area = one("textarea", HTMLTextAreaElement);
  const tool = one("[data-fb-tool]", HTMLInputElement);
  const status = one("#fb-diagnose-status", HTMLElement);
  const out = one("#fb-diagnose-answer", HTMLElement);
  let due = 0;
  let turn = 0;
  let back = 0;
  /** @type {Log[]} */
  let files = [];

  /**
   * @template {HTMLElement} Kind
   * @param {string} selector
   * @param {new () => Kind} kind
   * @returns {Kind} the element of the page that docs/<language>/diagnose.md holds
   */
  function one(selector, kind) {
    const found = document.querySelector("[data-fb-diagnose] " + selector) || document.querySelector(selector);
    if (found instanceof kind) return found;
    throw new Error("no " + selector + " on this page");
  }

  /** @param {(Node | string)[]} parts */
  function say(...parts) {
    status.replaceChildren(...parts);
  }

  /**
   * Tell what the heading shows to those who do not see it appear.
   * @param {string} text
   */
  function announce(text) {
    const said = document.createElement("span");
    said.className = "fb-diag__said";
    said.textContent = text;
    say(said);
  }

  /**
   * @param {string} label
   * @param {number} [total] bytes; without it nobody knows how far it is
   * @returns {Progress}
   */
  function waiting(label, total) {
    const bar = document.createElement("progress");
    if (total) bar.max = total;
    bar.setAttribute("aria-label", label);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fb-button";
    button.textContent = words.cancel;
    button.addEventListener("click", () => {
      if (started) started.cancel();
      checker.cancel();
      say(words.cancelled);
    });
    say(label + " ", bar, " ", button);
    return (bytes) => {
      bar.value = bytes;
    };
  }

  /** The index is loaded when somebody is about to ask, not with every visit. */
  function runner() {
    started = started || new Runner(here);
    return started;
  }
  form.addEventListener("focusin", () => {
    runner();
    Promise.all([texts.site(), texts.fixes()]).catch(() => {});
  });

  /**
   * @param {Log[]} given
   * @param {(given: Log[]) => Promise<{parts: HTMLElement[], said: string}>} answer what to show, and
   *   what to say of it
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
      show();
    } catch (error) {
      if (error instanceof Error && mine === turn) say(words.failed + error.message);
    } finally {
      if (mine === turn) out.removeAttribute("aria-busy");
    }
  }

  /** @param {Log[]} logs */
  async function diagnose(logs) {
    const progress = waiting(words.reading, logs.reduce((sum, { blob }) => sum + blob.size, 0));
    const result = await runner().run(logs, progress);
    const found = result.answer.answer;
    if (found && found.slug && result.holds) Object.assign(found, adviceOf((await texts.fixes())[found.slug], result.holds));
    const parts = view(result, await texts.site());
    const said = found ? words[result.answer.kind] + words.colon + found.title : parts[0].textContent || "";
    return { parts, said };
  }

  /** @param {Log[]} configs */
  async function check(configs) {
    if (location.protocol === "file:") throw new Error(words.served);
    waiting(words.loading);
    const report = await checker.run(configs, lang, tool.value.trim());
    const parts = configView(report, await texts.site());
    return { parts, said: parts[0].textContent || "" };
  }

  /** Scroll to the answer where it is not in sight, as on a phone; or to where the reader was. */
  function show() {
    if (back) scrollTo(0, back);
    else if (out.getBoundingClientRect().top > innerHeight / 2) out.scrollIntoView();
    back = 0;
  }

  /** What is in the text area, else the files that were chosen last. */
  function given() {
    if (area.value.trim()) files = [];
    return files.length ? files : [{ name: "", blob: new Blob([area.value]) }];
  }

  /**
   * Answer what is given, and keep it in the history.
   * @param {(given: Log[]) => Promise<{parts: HTMLElement[], said: string}>} how
   */
  function ask(how) {
    const now = given();
    place.remember(files.length ? "" : area.value);
    work(now, how);
  }

  /** Leave it to the text, or to the names of the files, which of the two it is. */
  function read() {
    given();
    const config = files.length ? files.every(({ name }) => isConfigName(name)) : isConfig(area.value);
    ask(config ? checkOr : diagnose);
  }

  /**
   * Check what was taken for a configuration, and offer the other reading.
   * @param {Log[]} configs
   */
  async function checkOr(configs) {
    const { parts, said } = await check(configs);
    const button = el("button", { type: "button", class: "fb-button fb-button--small" }, words.as_log);
    button.addEventListener("click", () => ask(diagnose));
    return { parts: [...parts, el("p", { class: "fb-hint" }, words.as_config + " ", button)], said };
  }

  /** @param {Log[]} chosenFiles */
  function readFiles(chosenFiles) {
    files = chosenFiles;
    area.value = "";
    read();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (matchMedia("(pointer: coarse)").matches) area.blur(); // the keyboard would cover the answer
    read();
  });
  one("[data-fb-check]", HTMLElement).addEventListener("click", () => ask(check));
  tool.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // which would be the first button
    ask(check);
  });
  area.addEventListener("paste", () => {
    due = setTimeout(read, 0); // after the text has arrived
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read();
  });
  take(form, one("[data-fb-drop]", HTMLElement), readFiles);
  for (const example of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-fb-try]"))) {
    example.addEventListener("click", () => {
      area.value = example.dataset.fbTry || "";
      read();
    });
  }

  /** @param {{text: string, answered: boolean} | null} kept */
  function restore(kept) {
    area.value = kept ? kept.text : "";
    files = [];
    if (kept && kept.answered) read();
    else out.replaceChildren();
  }
  addEventListener("popstate", () => {
    const text = place.asked();
    if (text !== null) restore({ text, answered: text !== "" });
    else if (!location.hash) restore(null);
  });
  addEventListener("pagehide", place.leave);
  for (const link of document.querySelectorAll("a[data-fb-language]")) {
    link.addEventListener("click", () => place.carry(area.value, out.childElementCount > 0));
  }
  form.dataset.fbReady = ""; // to ../pressed.js, which kept what was asked before
  const kept = place.recall();
  if ("fbPressed" in form.dataset) read();
  else if (kept && kept.text) {
    history.scrollRestoration = "manual";
    back = place.top();
    restore(kept);
  }
})();
