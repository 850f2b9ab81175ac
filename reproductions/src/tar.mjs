// Files as one archive in the format of tar (ustar), the same bytes for the same files: no dates, no owners.

const BLOCK = 512;
/** What a file may be called: the format has 100 bytes for it. */
const LONGEST = 100;

/** @param files Pairs of path and content, in the order that they are to have. */
export function tarOf(files) {
  const pieces = files.flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [headerOf(path, bytes.length), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(path, size) {
  if (Buffer.byteLength(path) > LONGEST) throw new Error(`${path} is too long a name for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(path, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return header;
}
