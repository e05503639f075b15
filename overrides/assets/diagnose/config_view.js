// Show what a check of configurations found.
fixbook.define("config_view", function (use) {
  "use strict";
  const { words, fill, counted, where } = use("words");
  const { PASTED } = use("config_runner");
  const { el, section, link, copyButton } = use("dom");
  /** @type {Record<string, string>} */
  const TYPES = { yaml: "application/yaml", json: "application/json", python: "text/x-python", shell: "application/x-sh" };
  const BADGES = { error: ["refuted", "✕ "], warning: ["certainty-inferred", "⚠ "], note: ["not-run", "ℹ "] };

  /**
   * @param {CheckReport} report
   * @param {Site} site
   * @returns {HTMLElement[]}
   */
  function configView(report, site) {
    const { findings, unreadable, mended, summary } = report;
    /** @type {HTMLElement[]} */
    const parts = [el("h2", { id: "answer" }, heading(report))];
    const open = findings.filter((finding) => finding.severity !== "note" && (!finding.diff || finding.applies === "suggestion"));
    if (open.length && mended.length) {
      const places = open.map((finding) => placeOf(finding)).join(words.semicolon);
      parts.push(el("p", { class: "fb-note" }, counted("left", open.length) + places));
    }
    for (const line of summary) parts.push(el("p", { class: "fb-status" }, line));
    for (const problem of unreadable) parts.push(unread(problem, site.lang));
    if (findings.length) {
      const items = findings.map((finding) => item(finding, site));
      parts.push(el("ol", { class: "fb-check" }, ...items));
    }
    for (const file of mended) parts.push(whole(file));
    return parts;
  }

  /** @param {CheckReport} report */
  function heading({ findings, unrecognised, unreadable }) {
    if (findings.length) return counted("found", findings.length);
    return unrecognised.length || unreadable.length ? words.not_checked : words.none_found;
  }

  /**
   * @param {CheckReport["unreadable"][number]} problem
   * @param {"zh" | "en"} lang
   */
  function unread({ file, what, mend }, lang) {
    const name = file.startsWith(PASTED) ? file.slice(PASTED.length + 1) : file;
    return el("p", { class: "fb-note" }, el("code", null, name), " ", what[lang] + words.semicolon + mend[lang]);
  }

  /**
   * @param {CheckFinding} finding
   * @param {Site} site
   */
  function item(finding, site) {
    const [badge, icon] = BADGES[finding.severity];
    const place = placeOf(finding);
    const made = el("li", null,
      el("p", null,
        el("span", { class: "fb-badge fb-badge--" + badge }, icon + words[finding.severity]), " ",
        ...prose(finding.message[site.lang]), el("span", { class: "fb-check__where" }, place)),
      el("p", null, ...prose(finding.why[site.lang])));
    if (finding.mend) made.append(el("p", null, ...prose(finding.mend[site.lang])));
    if (finding.entry) made.append(el("p", null, words.about, link(site.titles[finding.entry] || finding.entry, finding.entry + "/", site)));
    if (finding.applies === "suggestion") made.append(el("p", { class: "fb-note" }, words.suggestion));
    if (finding.not_fixed) made.append(el("p", { class: "fb-note" }, words.not_fixed, ...prose(finding.not_fixed[site.lang])));
    if (finding.diff) made.append(diff(finding.diff, words.change + words.colon + place + words.comma + finding.rule));
    return made;
  }

  /** @param {CheckFinding} finding */
  function placeOf({ file, line }) {
    return where({ source: shown(file), line, rank: null });
  }

  /**
   * Text with `code` in it.
   * @param {string} text
   */
  function prose(text) {
    return text.split("`").map((part, at) => (at % 2 ? el("code", null, part) : part));
  }

  /**
   * @param {string} text a unified diff
   * @param {string} label
   */
  function diff(text, label) {
    const lines = text.trimEnd().split("\n");
    const rows = lines.map((line, at) => el("span", { class: "fb-check__line" + (at < 2 ? " fb-check__line--at" : kindOf(line)) }, (line || " ") + "\n"));
    const scrolls = { tabindex: "0", role: "region", "aria-label": label };
    return el("pre", { class: "fb-check__diff" }, el("code", scrolls, ...rows));
  }

  /** @param {string} line of a diff */
  function kindOf(line) {
    /** @type {Record<string, string>} */
    const kinds = { "+": " fb-check__line--in", "-": " fb-check__line--out", "@": " fb-check__line--at" };
    return kinds[line[0]] || "";
  }

  /** @param {MendedFile} mended */
  function whole({ file, name, kind, text, diff: change }) {
    const title = fill(words.fixed, { file: shown(file) || words.whole_file });
    const changed = linesAdded(change);
    const rows = text.replace(/\n$/, "").split("\n").map((line, at) =>
      el("span", { class: "fb-check__line" + (changed.has(at + 1) ? " fb-check__line--in" : "") }, line + "\n"));
    const scrolls = { tabindex: "0", role: "region", "aria-label": title };
    const patch = el("details", { class: "fb-more" }, el("summary", null, words.as_diff),
      diff(change, words.as_diff + words.colon + name),
      el("div", { class: "fb-diag__row" }, copyButton(() => change), save(change, name + ".diff", "text/x-diff")),
      el("p", { class: "fb-hint" }, words.apply, el("code", null, "patch -p0 < " + name + ".diff")));
    return section(title,
      el("pre", { class: "fb-check__diff" }, el("code", scrolls, ...rows)),
      el("div", { class: "fb-diag__row" }, copyButton(() => text), save(text, name, TYPES[kind])), patch);
  }

  /**
   * @param {string} text
   * @param {string} name
   * @param {string} type
   */
  function save(text, name, type) {
    const made = el("a", { class: "fb-button", download: name }, fill(words.download, { name }));
    made.href = URL.createObjectURL(new Blob([text], { type }));
    return made;
  }

  /**
   * @param {string} change a unified diff
   * @returns {Set<number>} lines of the new file that it adds
   */
  function linesAdded(change) {
    const added = new Set();
    let at = 0;
    for (const line of change.split("\n").slice(2)) {
      const hunk = /^@@ -\S+ \+(\d+)/.exec(line);
      if (hunk) at = Number(hunk[1]) - 1;
      else if (line[0] === "+") added.add(++at);
      else if (line[0] === " ") at += 1;
    }
    return added;
  }

  /**
   * The name of a file; what was pasted has none.
   * @param {string} file
   */
  function shown(file) {
    return file === PASTED ? "" : file;
  }

  return { configView };
});
