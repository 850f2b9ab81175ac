/* Keeps the page working without a network. The line above this file, which is written when the page is built, says what belongs to the
 * page (`files`, as addresses beside this one) and which state of it this is (`version`).
 *
 * With a network the page is always the server's: only files whose names carry a hash of their content, which never change, are taken from
 * what was kept. So an update shows with the next load, and what is kept is renewed meanwhile. Everything else, such as files that the
 * server was started with, is not touched. */
const { files, version } = self.gradusPage;
const here = new URL('./', self.location.href).href;
/** Another copy of the page may be elsewhere on the same host. */
const ours = `gradus ${here} `;
const current = `${ours}${version}`;
/** A network that does not answer for so long counts as none, in milliseconds. */
const PATIENCE = 4000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(current);
      await Promise.all(files.map(async (file) => cache.put(new URL(file, here), await fetched(file))));
    })(),
  );
});

/** A file as the server has it now. Some servers have the page only under the name of its folder, others only under its own. */
async function fetched(file) {
  for (const name of file === './' ? ['./', 'index.html'] : [file]) {
    const answer = await fetch(new URL(name, here), { cache: 'reload' });
    // an answer by way of another address could not be shown as a page
    if (answer.ok) return answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer;
  }
  throw new TypeError(`the server has no ${file}`);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // the state before this one stays for pages that are still open
      const before = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== current);
      for (const name of before.slice(0, -1)) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

// a page that was just loaded came from the server, so it need not wait for others to be closed
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(here)) return;
  const path = url.slice(here.length).replace(/[?#].*$/, '');
  const file = path === '' || path === 'index.html' ? './' : path;
  if (!files.includes(file)) return;
  event.respondWith(file.startsWith('assets/') ? keptFirst(event.request, file) : networkFirst(event.request, file));
});

async function keptFirst(request, file) {
  return (await kept(file)) ?? (await fetch(request));
}

async function networkFirst(request, file) {
  const answer = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const first = await Promise.race([answer, late]);
    return first ?? (await kept(file)) ?? (await answer);
  } catch (error) {
    const found = await kept(file);
    if (found === undefined) throw error;
    return found;
  }
}

/** Of this state, or of the one before. */
async function kept(file) {
  const address = new URL(file, here).href;
  for (const name of [current, ...(await caches.keys()).filter((one) => one.startsWith(ours))]) {
    const found = await (await caches.open(name)).match(address, { ignoreVary: true });
    if (found !== undefined) return found;
  }
  return undefined;
}
