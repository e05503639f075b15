// Every block of code has a button that copies what stands in this block, and nothing else. Of a
// change it copies the new lines, as they go into the file.
(function () {
  "use strict";

  const words =
    document.documentElement.lang === "zh"
      ? { copy: "复制", lines: "复制新的行", copied: "已复制", failed: "没能复制，请选中后按 Ctrl+C" }
      : { copy: "Copy", lines: "Copy the new lines", copied: "Copied", failed: "Not copied: select it and press Ctrl+C" };

  const said = document.createElement("div"); // for those who hear the page
  said.className = "fb-unseen";
  said.setAttribute("role", "status");
  document.body.append(said);

  /**
   * What a block gives to paste; empty for a change that only removes.
   * @param {Element} code
   */
  function pasted(code) {
    const text = (code.textContent || "").replace(/\n+$/, "");
    if (!code.closest(".language-diff")) return text;
    const lines = text.split("\n").filter((line) => line.startsWith("+"));
    return lines.map((line) => line.slice(1)).join("\n");
  }

  /**
   * Copy where the browser offers no clipboard, as on http:// addresses.
   * @param {string} text
   */
  function copiedByHand(text) {
    const area = document.createElement("textarea");
    area.className = "fb-unseen";
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  /** @param {string} text */
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copiedByHand(text);
    }
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} text
   */
  async function press(button, text) {
    const done = await copied(text);
    button.focus();
    button.dataset.fbSaid = said.textContent = done ? words.copied : words.failed;
    setTimeout(() => {
      delete button.dataset.fbSaid;
      said.textContent = "";
    }, 2500);
  }

  /** @param {Element} code */
  function offer(code) {
    if (!pasted(code)) return;
    const button = document.createElement("button");
    const name = code.closest(".highlight")?.querySelector(".filename")?.textContent;
    button.type = "button";
    button.className = "fb-copy";
    button.title = code.closest(".language-diff") ? words.lines : words.copy;
    button.setAttribute("aria-label", name ? `${button.title} ${name}` : button.title);
    button.addEventListener("click", () => press(button, pasted(code)));
    code.before(button);
  }

  for (const code of document.querySelectorAll(".highlight > pre > code")) offer(code);
})();
