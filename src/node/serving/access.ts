import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may ask a server for its files: whoever knows one of its names and is on this machine, or, from anywhere, whoever has the token. */
export type Access = { readonly hosts: ReadonlySet<string> } | { readonly token: string; readonly cookie: string };

/** What is said to a request that may not have an answer; undefined if it may. */
export function refusedBy(access: Access, request: IncomingMessage): { readonly status: number; readonly words: string } | undefined {
  if ('hosts' in access) {
    const isKnown = access.hosts.has((request.headers.host ?? '').toLowerCase());
    return isKnown ? undefined : { status: 421, words: 'This server answers to localhost only.' };
  }
  const given = tokenIn(request) ?? cookieIn(request, access.cookie);
  if (given !== undefined && isSame(given, access.token)) return undefined;
  return { status: 403, words: 'This server answers only to the address that gradus serve printed, with its token.' };
}

/** The header by which a page that was opened with the token goes on without it; none if the request did not have it. */
export function cookieHeader(access: Access, request: IncomingMessage): Readonly<Record<string, string>> {
  if ('hosts' in access || tokenIn(request) === undefined) return {};
  return { 'Set-Cookie': `${access.cookie}=${access.token}; HttpOnly; SameSite=Strict; Path=/` };
}

function tokenIn({ url = '/' }: IncomingMessage): string | undefined {
  const question = url.indexOf('?');
  return question < 0 ? undefined : (new URLSearchParams(url.slice(question + 1)).get('token') ?? undefined);
}

function cookieIn({ headers }: IncomingMessage, name: string): string | undefined {
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim());
  return parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Takes as long for any two texts, so that a token cannot be found letter by letter. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
