// Files and folders as they are dropped or chosen, in the order of their ranks.
fixbook.define("files", function (use) {
  "use strict";
  const { isConfigName } = use("kind");
  const { skipped } = use("constants");
  const MOST = 4096;

  /**
   * @param {DataTransfer} transfer
   * @returns {Promise<Log[]>}
   */
  async function dropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    const plain = [...transfer.files];
    if (!entries.some((entry) => entry && entry.isDirectory)) return chosen(plain);
    /** @type {Log[]} */
    const found = [];
    for (const entry of entries) if (entry) await walk(entry, found);
    return inOrder(found.filter(({ name }) => isLog(name)));
  }

  /**
   * @param {FileSystemEntry} entry
   * @param {Log[]} found receives its files
   */
  async function walk(entry, found) {
    if (found.length >= MOST) return;
    if (entry.isFile) {
      const file = /** @type {FileSystemFileEntry} */ (entry);
      /** @type {File} */
      const blob = await new Promise((resolve, reject) => file.file(resolve, reject));
      found.push({ name: entry.fullPath.replace(/^\//, ""), blob });
      return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const child of some) await walk(child, found);
    }
  }

  /**
   * @param {Iterable<File>} files
   * @returns {Log[]}
   */
  function chosen(files) {
    const all = [...files].map((blob) => ({ name: blob.webkitRelativePath || blob.name, blob }));
    const wanted = all.length === 1 || all.every(({ name }) => isConfigName(name));
    return inOrder(wanted ? all : all.filter(({ name }) => isLog(name)));
  }

  /** @param {string} name */
  function isLog(name) {
    const lower = name.toLowerCase();
    return !skipped.some((ending) => lower.endsWith(ending)) && !/(?:^|\/)\.[^/]*$/.test(name);
  }

  /** @param {Log[]} logs */
  function inOrder(logs) {
    const collator = new Intl.Collator("en", { numeric: true });
    return logs.sort((a, b) => collator.compare(a.name, b.name));
  }

  /**
   * Take the files that are chosen in a form, or dropped on a part of it.
   * @param {Element} form
   * @param {HTMLElement} zone
   * @param {(files: Log[]) => void} give
   */
  function take(form, zone, give) {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=file]"))) {
      input.addEventListener("change", () => {
        if (input.files && input.files.length) give(chosen(input.files));
        input.value = "";
      });
    }
    /** @param {DragEvent} event */
    const dragged = ({ dataTransfer }) => (dataTransfer && dataTransfer.types.includes("Files") ? dataTransfer : null);
    for (const name of /** @type {const} */ (["dragenter", "dragover"])) {
      zone.addEventListener(name, (event) => {
        if (!dragged(event)) return;
        event.preventDefault();
        zone.classList.add("fb-diag__drop--over");
      });
    }
    zone.addEventListener("dragleave", () => zone.classList.remove("fb-diag__drop--over"));
    zone.addEventListener("drop", async (event) => {
      zone.classList.remove("fb-diag__drop--over");
      const transfer = dragged(event);
      if (!transfer) return;
      event.preventDefault();
      give(await dropped(transfer));
    });
  }

  return { take };
});
