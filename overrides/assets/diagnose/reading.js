// Read files as people drop them: any size, plain or gzip, UTF-8 or wider, one per rank.
fixbook.define("reading", function (use) {
  "use strict";
  const { WholeLines } = use("chunks");
  const { decoded } = use("wide");
  const { limits, ranksInPath } = use("constants");

  const { chunk: CHUNK } = limits;
  const RANK_IN_PATH = ranksInPath.map((pattern) => new RegExp(pattern, "u"));

  /**
   * @param {string} path
   * @returns {number | null} the rank that it names
   */
  function rankIn(path) {
    for (const pattern of RANK_IN_PATH) {
      const match = pattern.exec(path);
      if (match) return Number(match[1]);
    }
    return null;
  }

  /**
   * Read a file in parts of one size.
   * @param {Blob} file
   * @param {Progress} progress told how many bytes of the file were read
   * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
   */
  async function* partsOf(file, progress) {
    const magic = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    if (magic[0] === 0x28 && magic[1] === 0xb5 && magic[2] === 0x2f && magic[3] === 0xfd) throw new Error("zstd");
    if (magic[0] === 0x1f && magic[1] === 0x8b) {
      yield* unzipped(file, progress);
      return;
    }
    for (let at = 0; at < file.size; at += CHUNK) {
      yield new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
      progress(Math.min(file.size, at + CHUNK));
    }
  }

  /**
   * @param {Blob} file
   * @param {Progress} progress
   * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>}
   */
  async function* unzipped(file, progress) {
    let read = 0;
    const counted = new TransformStream({
      transform(part, controller) {
        read += part.length;
        progress(read);
        controller.enqueue(part);
      },
    });
    const stream = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
    const reader = stream.getReader();
    let block = new Uint8Array(CHUNK);
    let size = 0;
    let broken = null;
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        broken = error; // a file that is still written breaks off
        return { done: true, value: undefined };
      });
      if (done || !value) break;
      for (let at = 0; at < value.length; ) {
        const taken = value.subarray(at, at + CHUNK - size);
        block.set(taken, size);
        size += taken.length;
        at += taken.length;
        if (size === CHUNK) {
          yield block;
          block = new Uint8Array(CHUNK);
          size = 0;
        }
      }
    }
    if (size) yield block.subarray(0, size);
    if (broken) throw broken;
  }

  /**
   * Scan a file.
   * @param {Blob} file
   * @param {Scan} scan receives its chunks
   * @param {Progress} progress
   * @returns {Promise<{tail: string, note: string}>} the end of the file, and what went wrong
   */
  async function scanFile(file, scan, progress) {
    const lines = new WholeLines();
    /** @type {Uint8Array} */
    let last = new Uint8Array(0);
    let note = "";
    /** @param {Uint8Array} chunk */
    const add = function (chunk) {
      scan.add(chunk);
      last = chunk;
    };
    try {
      for await (const part of decoded(partsOf(file, progress))) lines.push(part).forEach(add);
    } catch (error) {
      note = error instanceof Error ? error.message : String(error);
    }
    lines.end().forEach(add);
    scan.end();
    const tail = new TextDecoder("utf-8", { ignoreBOM: true }).decode(last.subarray(-limits.guessBytes));
    return { tail, note };
  }

  /**
   * Scan a text that is in memory.
   * @param {string} text
   * @param {Scan} scan
   */
  function scanText(text, scan) {
    const bytes = new TextEncoder().encode(text);
    const lines = new WholeLines();
    for (let at = 0; at < bytes.length; at += CHUNK) {
      lines.push(bytes.subarray(at, at + CHUNK)).forEach((chunk) => scan.add(chunk));
    }
    lines.end().forEach((chunk) => scan.add(chunk));
    scan.end();
  }

  return { rankIn, scanFile, scanText };
});
