// Opens the built app in Firefox, drops the example on it, and looks at every view. Firefox is driven by WebDriver BiDi, which it speaks
// itself, so nothing has to be installed beside it.
//
//   npm run build && node --experimental-websocket scripts/check-firefox.mjs [FOLDER]
//
// The flag is for Node 20. With a folder, pictures of all views, at 1440 and 375 px, are written there. Firefox is found by its usual
// names, or named in FIREFOX_PATH. Ends with status 1 if a view has another heading than here, is wider than the window, complains in
// the console, or asks another host for anything.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appFolder } from '../dist/node/app-files.js';
import { serveFolder } from '../dist/node/serving/serve.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const pictures = process.argv[2];
/** The heading of each view about the example. */
const headings = {
  verdict: /^hybrid is better than both others/,
  leaderboard: /^hybrid is told apart from all others/,
  topics: /^The lead/,
  diff: /^Topic q/,
  rules: /^One ranking, \w+ values of nDCG@10/,
  train: /^Train a ranker/,
  learn: /^Move a document/,
  compare: /^Compare/,
  topic: /^One topic/,
  checks: /^Checks/,
  fuse: /^Fused they beat hybrid alone/,
  judge: /^Judge documents/,
  export: /^Export/,
};
const files = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'].map((name) => ({
  name,
  text: readFileSync(join(root, 'examples/data', name), 'utf8'),
}));
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts Firefox with a profile of its own, and waits for the address at which it listens. */
async function startFirefox(profile) {
  const program = process.env.FIREFOX_PATH ?? (process.platform === 'linux' ? 'firefox-esr' : 'firefox');
  const firefox = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let failure;
  firefox.on('error', (error) => {
    failure = error;
  });
  for (const stream of [firefox.stdout, firefox.stderr]) stream.on('data', (text) => (said += text));
  for (let waited = 0; waited < 60_000; waited += 200) {
    if (failure !== undefined) throw new Error(`${program} could not be started: ${failure.message}; name it in FIREFOX_PATH`);
    const [, address] = /WebDriver BiDi listening on (\S+)/.exec(said) ?? [];
    if (address !== undefined) return { firefox, address };
    await pause(200);
  }
  throw new Error(`${program} does not listen: ${said}`);
}

/** Commands of WebDriver BiDi and their answers. */
async function connect(address) {
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`no connection to ${address}`));
  });
  const waiting = new Map();
  const events = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (call === undefined) events.push(message);
    else if (message.type === 'error') call.reject(new Error(`${message.error}: ${message.message}`));
    else call.resolve(message.result);
  };
  let last = 0;
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, events };
}

const problems = [];
const served = await serveFolder({ folder: appFolder() });
const profile = mkdtempSync(join(tmpdir(), 'gradus-firefox-'));
let firefox;
try {
  const started = await startFirefox(profile);
  firefox = started.firefox;
  const { send, events } = await connect(started.address);
  const { capabilities } = await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  const { contexts } = await send('browsingContext.getTree');
  const [{ context }] = contexts;
  /** Calls a function in the page with one argument, which is plain data. */
  const inPage = async (act, given = null) => {
    const { result, exceptionDetails } = await send('script.callFunction', {
      functionDeclaration: `(text) => (${act})(JSON.parse(text))`,
      awaitPromise: true,
      target: { context },
      arguments: [{ type: 'string', value: JSON.stringify(given) }],
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  };
  const heading = () => inPage(() => document.querySelector('h1')?.textContent.trim() ?? '');
  const until = async (holds, words) => {
    for (let waited = 0; waited < 60_000; waited += 200) {
      if (await holds()) return true;
      await pause(200);
    }
    problems.push(words);
    return false;
  };
  const widths = [1440, 375];
  await send('browsingContext.setViewport', { context, viewport: { width: widths[0], height: 900 } });
  await send('browsingContext.navigate', { context, url: served.address, wait: 'complete' });
  await inPage((given) => {
    const all = new DataTransfer();
    for (const { name, text } of given) all.items.add(new File([text], name));
    const main = document.querySelector('main');
    for (const type of ['dragenter', 'dragover', 'drop']) {
      main.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: all }));
    }
  }, files);
  for (const width of widths) {
    await send('browsingContext.setViewport', { context, viewport: { width, height: 900 } });
    for (const [view, words] of Object.entries(headings)) {
      await inPage((id) => {
        location.hash = `#/${id}`;
      }, view);
      await until(async () => words.test(await heading()), `${view} at ${width} px has no heading like ${words}`);
      await until(() => inPage(() => document.querySelector('.work, .asking') === null), `${view} at ${width} px does not end`);
      const beyond = await inPage(() => document.documentElement.scrollWidth - innerWidth);
      if (beyond > 0) problems.push(`${view} is ${beyond} px wider than ${width} px`);
      process.stdout.write(`${width} px, ${view}: ${await heading()}\n`);
      if (pictures === undefined) continue;
      mkdirSync(pictures, { recursive: true });
      const { data } = await send('browsingContext.captureScreenshot', { context, origin: 'document' });
      writeFileSync(join(pictures, `${view}-${width}.png`), Buffer.from(data, 'base64'));
    }
  }
  for (const { method, params } of events) {
    if (method === 'log.entryAdded' && params.level !== 'info' && params.level !== 'debug')
      problems.push(`${params.level}: ${params.text}`);
    const url = method === 'network.beforeRequestSent' ? params.request.url : served.address;
    if (!url.startsWith(served.address) && !/^(blob|data|about):/.test(url)) problems.push(`asks ${url}`);
  }
  process.stdout.write(`Firefox ${capabilities.browserVersion}: ${problems.length === 0 ? 'every view as expected' : 'not as expected'}\n`);
  await send('browser.close').catch(() => undefined);
} finally {
  firefox?.kill();
  await served.stop();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
