/** Files that lie beside the page and are stored compressed: words and examples, of which the package would otherwise hold much. */

/** The text of such a file.
 *  @param base The address of the page. */
export async function compressedText(name: string, base: string): Promise<string> {
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`${name}, a part of this page, could not be loaded`);
  const content = await response.blob();
  return await new Response((await isCompressed(content)) ? content.stream().pipeThrough(new DecompressionStream('gzip')) : content).text();
}

/** Some servers decompress a file with this ending on the way. */
async function isCompressed(content: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}
