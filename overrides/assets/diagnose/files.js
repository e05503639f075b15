// Files and folders as they are dropped or chosen, in the order of their ranks.
fixbook.define("files", function (use) {
  "use strict";
  const { isConfigName } = use("kind");
  const { skipped } = use("constants");
  const MOST = 4096;

  /**
   * @param {DataTransfer} transfer
   * @returns {Promise<{name: string, blob: File}[]>}
   */
  async function dropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    const plain = [...transfer.files];
    if (!entries.some((entry) => entry && entry.isDirectory)) return chosen(plain);
    const found = [];
    for (const entry of entries) if (entry) await walk(entry, found);
    return inOrder(found.filter(({ name }) => isLog(name)));
  }

  async function walk(entry, found) {
    if (found.length >= MOST) return;
    if (entry.isFile) {
      const blob = await new Promise((resolve, reject) => entry.file(resolve, reject));
      found.push({ name: entry.fullPath.replace(/^\//, ""), blob });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const child of some) await walk(child, found);
    }
  }

  /**
   * @param {Iterable<File>} files
   * @returns {{name: string, blob: File}[]}
   */
  function chosen(files) {
    const all = [...files].map((blob) => ({ name: blob.webkitRelativePath || blob.name, blob }));
    const wanted = all.length === 1 || all.every(({ name }) => isConfigName(name));
    return inOrder(wanted ? all : all.filter(({ name }) => isLog(name)));
  }

  function isLog(name) {
    const lower = name.toLowerCase();
    return !skipped.some((ending) => lower.endsWith(ending)) && !/(?:^|\/)\.[^/]*$/.test(name);
  }

  function inOrder(logs) {
    const collator = new Intl.Collator("en", { numeric: true });
    return logs.sort((a, b) => collator.compare(a.name, b.name));
  }

  return { dropped, chosen };
});
