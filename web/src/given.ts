/** Files that the server was started with. */
import type { FileKind } from './engine/protocol.js';

export interface GivenFile {
  readonly file: File;
  readonly as: FileKind;
}

/** Fetches them from where the page itself is, if its address says that there are some. */
export async function givenFiles(search: string): Promise<readonly GivenFile[]> {
  if (!new URLSearchParams(search).has('files')) return [];
  const list = (await (await fetched('given.json')).json()) as readonly { name: string; as: FileKind; address: string }[];
  return await Promise.all(
    list.map(async ({ name, as, address }) => ({ file: new File([await (await fetched(address)).blob()], name), as })),
  );
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server has no ${address}`);
  return response;
}
