// Makes QR codes (ISO/IEC 18004): bytes, error correction M, versions 1 to 20.

/** Error correction codewords of a block, and blocks, by version; both for level M. */
const correction = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blocks = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** The modules of a text's code, row by row: true is dark. Throws `RangeError` for more than 666 bytes. */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = blocks.findIndex((_, version) => version > 0 && bytes.length <= capacity(version));
  if (version < 0) throw new RangeError("too long for a code");
  const code = new Code(version);
  code.place(interleaved(bytes, version));
  return code.masked();
}

const headBits = (version) => 4 + (version < 10 ? 8 : 16);
const dataCodewords = (version) => Math.floor(rawModules(version) / 8) - correction[version] * blocks[version];
const capacity = (version) => Math.floor((8 * dataCodewords(version) - headBits(version)) / 8);

/** Modules for data and correction: all but the patterns. */
function rawModules(version) {
  let count = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    count -= (25 * marks - 10) * marks - 55;
    if (version >= 7) count -= 36;
  }
  return count;
}

/** Data codewords: mode and length, the bytes, filling; then blocks with their correction, interleaved. */
function interleaved(bytes, version) {
  const bits = [];
  const put = (value, length) => {
    for (let at = length - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  put(4, 4);
  put(bytes.length, headBits(version) - 4);
  for (const byte of bytes) put(byte, 8);
  const total = dataCodewords(version);
  put(0, Math.min(4, 8 * total - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let fill = 0xec; data.length < total; fill ^= 0xec ^ 0x11) data.push(fill);

  const count = blocks[version];
  const short = Math.floor(total / count);
  const longer = total % count;
  const parts = [];
  for (let at = 0, block = 0; block < count; block += 1) {
    const length = short + (block < count - longer ? 0 : 1);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const divisor = generator(correction[version]);
  const checks = parts.map((part) => remainder(part, divisor));
  const result = [];
  for (let at = 0; at <= short; at += 1) for (const part of parts) if (at < part.length) result.push(part[at]);
  for (let at = 0; at < correction[version]; at += 1) for (const check of checks) result.push(check[at]);
  return result;
}

// Reed–Solomon over GF(256) with the polynomial 0x11d.

function product(a, b) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) result = (result << 1) ^ ((result >>> 7) * 0x11d) ^ (((b >>> bit) & 1) * a);
  return result & 0xff;
}

function generator(degree) {
  const result = [...new Array(degree - 1).fill(0), 1];
  for (let step = 0, root = 1; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1) result[at] = product(result[at], root) ^ (result[at + 1] ?? 0);
    root = product(root, 2);
  }
  return result;
}

function remainder(data, divisor) {
  const result = new Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    divisor.forEach((term, at) => (result[at] ^= product(term, factor)));
  }
  return result;
}

const masks = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

class Code {
  constructor(version) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = this.dark.map((line) => [...line]);
    this.#patterns();
  }

  #set(x, y, isDark) {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y][x] = isDark;
    this.fixed[y][x] = true;
  }

  #patterns() {
    const { size, version } = this;
    for (let at = 0; at < size; at += 1) {
      this.#set(6, at, at % 2 === 0);
      this.#set(at, 6, at % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) this.#square(x, y, 4, [2, 4]);
    const marks = alignment(version, size);
    const last = marks.length - 1;
    marks.forEach((x, i) => marks.forEach((y, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      this.#square(x, y, 2, [1]);
    }));
    this.#format(0);
    if (version >= 7) this.#versionBits();
  }

  /** Rings around a middle: all dark but those at `light` distances. */
  #square(x, y, radius, light) {
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        this.#set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** Level M is 00, then the mask; BCH(15, 5). */
  #format(mask) {
    let rest = mask;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (at) => ((bits >>> at) & 1) === 1;
    const { size } = this;
    for (let at = 0; at <= 5; at += 1) this.#set(8, at, bit(at));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let at = 9; at < 15; at += 1) this.#set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at += 1) this.#set(size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at += 1) this.#set(8, size - 15 + at, bit(at));
    this.#set(8, size - 8, true);
  }

  /** BCH(18, 6). */
  #versionBits() {
    let rest = this.version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let at = 0; at < 18; at += 1) {
      const isDark = ((bits >>> at) & 1) === 1;
      const [a, b] = [this.size - 11 + (at % 3), Math.floor(at / 3)];
      this.#set(a, b, isDark);
      this.#set(b, a, isDark);
    }
  }

  /** Two columns at a time from the right, up and down by turns. */
  place(codewords) {
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        for (const x of [right, right - 1]) {
          const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
          if (this.fixed[y][x] || at >= 8 * codewords.length) continue;
          this.dark[y][x] = ((codewords[at >>> 3] >>> (7 - (at & 7))) & 1) === 1;
          at += 1;
        }
      }
    }
  }

  /** With the mask that is easiest to read. */
  masked() {
    let best = null;
    for (let mask = 0; mask < 8; mask += 1) {
      this.#format(mask);
      const shown = this.dark.map((line, y) =>
        line.map((isDark, x) => isDark !== (!this.fixed[y][x] && masks[mask](x, y) === 0)));
      const penalty = penaltyOf(shown);
      if (!best || penalty < best.penalty) best = { penalty, shown };
    }
    return best.shown;
  }
}

function alignment(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - (count - 2 - at) * step)];
}

/** What makes a code hard to read: runs, squares, false finders, and more of one colour. */
function penaltyOf(rows) {
  const size = rows.length;
  const lines = [...rows, ...rows.map((_, x) => rows.map((line) => line[x]))]
    .map((line) => line.map((isDark) => (isDark ? "1" : "0")).join(""));
  let result = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) result += run.length - 2;
    for (const finder of ["10111010000", "00001011101"]) {
      for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) result += 40;
    }
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const same = rows[y][x];
      if (rows[y - 1][x] === same && rows[y][x - 1] === same && rows[y - 1][x - 1] === same) result += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length / (size * size);
  return result + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
