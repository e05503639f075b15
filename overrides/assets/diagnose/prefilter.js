// Find the places of many literals in bytes, reading few of them: skip by the last bytes of a
// window that no literal has there (Wu and Manber), and compare only where one may stand.
fixbook.define("prefilter", function (use) {
  "use strict";
  const { linesPerLiteral } = use("constants").limits;

  const LONG = 8;
  const BITS = 15;

  /** Literals whose first `width` bytes are looked for. */
  class Group {
    /**
     * @param {{id: number, bytes: Uint8Array}[]} literals
     * @param {number} width
     */
    constructor(literals, width) {
      this.width = width;
      this.tail = Math.min(3, width); // bytes that decide how far to skip
      this.shift = new Uint8Array(1 << BITS).fill(width - this.tail + 1);
      this.heads = new Int32Array(1 << BITS).fill(-1);
      this.next = new Int32Array(literals.length).fill(-1);
      this.literals = literals;
      literals.forEach(({ bytes }, number) => {
        for (let end = this.tail; end <= width; end++) {
          const key = this.key(bytes, end);
          this.shift[key] = Math.min(this.shift[key], width - end);
        }
        const key = this.key(bytes, width);
        this.next[number] = this.heads[key];
        this.heads[key] = number;
      });
    }

    /**
     * @param {Uint8Array} bytes
     * @param {number} end
     * @returns {number} a hash of the `tail` bytes before `end`
     */
    key(bytes, end) {
      const last = (bytes[end - 1] << 7) ^ (bytes[end - 2] << 3);
      return (this.tail > 2 ? last ^ (bytes[end - 3] << 11) ^ bytes[end - 3] : last) & ((1 << BITS) - 1);
    }

    /**
     * @param {Uint8Array} chunk
     * @param {number[]} counts lines by id
     * @param {number[]} done end of the last line found, by id
     * @param {[number, number][]} hits receives (offset of the end, id)
     */
    find(chunk, counts, done, hits) {
      const { width, shift, heads, next, literals, tail } = this;
      const mask = (1 << BITS) - 1;
      const size = chunk.length;
      let end = width;
      while (end <= size) {
        const third = tail > 2 ? chunk[end - 3] : 0;
        const key = ((chunk[end - 1] << 7) ^ (chunk[end - 2] << 3) ^ (third << 11) ^ third) & mask;
        const skip = shift[key];
        if (skip) {
          end += skip;
          continue;
        }
        for (let number = heads[key]; number >= 0; number = next[number]) {
          const { id, bytes } = literals[number];
          const start = end - width;
          if (start + bytes.length > size || counts[id] >= linesPerLiteral || start < done[id]) continue;
          let same = 0;
          while (same < bytes.length && chunk[start + same] === bytes[same]) same += 1;
          if (same < bytes.length) continue;
          counts[id] += 1;
          hits.push([start + same, id]);
          const line = chunk.indexOf(10, start + same);
          done[id] = line < 0 ? size : line;
        }
        end += 1;
      }
    }
  }

  /** Looks for all literals of an index. */
  class Prefilter {
    /** @param {string[]} literals */
    constructor(literals) {
      const encoder = new TextEncoder();
      const all = literals.map((literal, id) => ({ id, bytes: encoder.encode(literal) }));
      const long = all.filter(({ bytes }) => bytes.length >= LONG);
      const short = all.filter(({ bytes }) => bytes.length < LONG);
      this.total = all.length;
      this.groups = [];
      if (long.length) this.groups.push(new Group(long, LONG));
      if (short.length) {
        const width = Math.min(...short.map(({ bytes }) => bytes.length));
        this.groups.push(new Group(short, width));
      }
    }

    /**
     * @param {Uint8Array} chunk
     * @returns {[number, number][]} (offset of the end, index of the literal), sorted, each once per line
     */
    find(chunk) {
      const counts = new Array(this.total).fill(0);
      const done = new Array(this.total).fill(0);
      /** @type {[number, number][]} */
      const hits = [];
      for (const group of this.groups) group.find(chunk, counts, done, hits);
      return hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    }
  }

  return { Prefilter };
});
