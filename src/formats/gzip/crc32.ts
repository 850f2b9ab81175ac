/** The checksum of gzip, zip and PNG: a division in which adding is exclusive or. */
// fits: remainders of 32 bits, made unsigned by >>> 0
const tables: readonly Uint32Array[] = Array.from({ length: 4 }, () => new Uint32Array(256));
for (let i = 0; i < 256; i++) {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  tables[0][i] = value >>> 0;
}
// four bytes at a step: each table is a byte further on
for (let k = 1; k < 4; k++) {
  for (let i = 0; i < 256; i++) tables[k][i] = ((tables[k - 1][i] >>> 8) ^ tables[0][tables[k - 1][i] & 0xff]) >>> 0;
}

/** The checksum at the end of gzip data, taken chunk by chunk. */
export class Crc32 {
  private state = -1;

  reset(): void {
    this.state = -1;
  }

  update(bytes: Uint8Array, start: number, end: number): void {
    const [first, second, third, fourth] = tables;
    let { state } = this;
    let i = start;
    for (; i + 4 <= end; i += 4) {
      state ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
      state = fourth[state & 0xff] ^ third[(state >>> 8) & 0xff] ^ second[(state >>> 16) & 0xff] ^ first[state >>> 24];
    }
    for (; i < end; i++) state = (state >>> 8) ^ first[(state ^ bytes[i]) & 0xff];
    this.state = state;
  }

  value(): number {
    return ~this.state >>> 0;
  }
}
