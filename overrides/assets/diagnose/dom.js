// Elements from data. Strings become text nodes: nothing that a reader pastes becomes HTML.
fixbook.define("dom", function (use) {
  "use strict";
  const { words } = use("constants");

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} name
   * @param {Record<string, string> | null} [attributes]
   * @param {(Node | string | null)[]} children strings become text
   */
  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    for (const child of children) if (child !== null && child !== "") made.append(child);
    return made;
  }

  /**
   * @param {string} title
   * @param {(Node | string)[]} children
   */
  function section(title, ...children) {
    return el("section", null, el("h3", null, title), ...children);
  }

  /**
   * @param {string} text
   * @param {string} address from the root of the language
   * @param {{root: string}} site
   */
  function link(text, address, site) {
    const ending = location.protocol === "file:" ? "index.html" : "";
    return el("a", { href: new URL(address + ending, site.root).href }, text);
  }

  /**
   * A link that leaves the site; nothing is sent before it is followed.
   * @param {string} text
   * @param {string} href
   */
  function outside(text, href) {
    return el("a", { href, target: "_blank", rel: "noopener noreferrer" }, text);
  }

  /**
   * @param {string} text with code between back quotes
   * @returns {(Node | string)[]}
   */
  function inline(text) {
    return text.split("`").map((part, at) => (at % 2 ? el("code", null, part) : part));
  }

  /**
   * A button that copies.
   * @param {() => string} text
   * @param {HTMLTextAreaElement} [area] selected first where there is no clipboard (file://)
   */
  function copyButton(text, area) {
    const button = el("button", { type: "button", class: "fb-button" }, words.copy);
    button.addEventListener("click", async () => {
      if (area) area.select();
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        document.execCommand("copy");
      }
      button.textContent = words.copied;
      setTimeout(() => (button.textContent = words.copy), 2000);
    });
    return button;
  }

  return { el, section, link, outside, inline, copyButton };
});
