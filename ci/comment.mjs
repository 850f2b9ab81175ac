// Writes the summary of a gate as a comment on the pull request (GitHub) or merge request (GitLab), or renews the one that it wrote
// before, so that there is never more than one. It needs Node and nothing else.
//
//   node comment.mjs SUMMARY.md [--link URL] [--name NAME]
//
// GitHub: GITHUB_TOKEN with permission to write pull requests; the rest is what every job has (GITHUB_REPOSITORY, GITHUB_EVENT_PATH,
// GITHUB_API_URL). GitLab: GITLAB_TOKEN, a project access token that may use the API; the rest is what every merge request pipeline has
// (CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID).

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What GitHub takes; GitLab takes more. */
const MOST_CHARACTERS = 65_000;
const PAGE = 100;

class Refusal extends Error {}

function say(text) {
  process.stdout.write(`${text}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { link: { type: 'string' }, name: { type: 'string', default: 'relevance' } },
});

/** Where comments are kept, and what a request has to carry. */
function placeOf(environment) {
  if (environment.CI_MERGE_REQUEST_IID) {
    const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN } = needed(
      environment,
      'CI_API_V4_URL',
      'CI_PROJECT_ID',
      'GITLAB_TOKEN',
    );
    const notes = `${CI_API_V4_URL}/projects/${encodeURIComponent(CI_PROJECT_ID)}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
    return { list: notes, one: (id) => `${notes}/${id}`, renew: 'PUT', headers: { 'PRIVATE-TOKEN': GITLAB_TOKEN } };
  }
  if (environment.GITHUB_REPOSITORY) {
    const { GITHUB_REPOSITORY, GITHUB_TOKEN, GITHUB_API_URL = 'https://api.github.com' } = needed(environment, 'GITHUB_TOKEN');
    const number = pullRequest(environment);
    if (number === undefined) return undefined;
    const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
    const headers = {
      Authorization: `Bearer ${GITHUB_TOKEN}`,
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
    };
    return { list: `${issues}/${number}/comments`, one: (id) => `${issues}/comments/${id}`, renew: 'PATCH', headers };
  }
  return undefined;
}

function needed(environment, ...names) {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0) throw new Refusal(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`);
  return environment;
}

/** The number of the pull request that the job is about; undefined for a push or a schedule. */
function pullRequest({ GITHUB_EVENT_PATH }) {
  if (!GITHUB_EVENT_PATH) return undefined;
  const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
  return event.pull_request?.number ?? (event.issue?.pull_request === undefined ? undefined : event.issue.number);
}

async function request(method, url, headers, body) {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, 'User-Agent': 'gradus', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.ok) return await answer.json();
  const why = answer.status === 403 || answer.status === 401 ? 'the token may not do this' : answer.statusText;
  throw new Refusal(`${method} ${new URL(url).pathname}: ${answer.status}, ${why}`);
}

/** The comment that was written before, wherever it stands. */
async function commentWith(marker, { list, headers }) {
  for (let page = 1; ; page++) {
    const comments = await request('GET', `${list}?per_page=${PAGE}&page=${page}`, headers);
    const found = comments.find(({ body }) => body?.startsWith(marker));
    if (found !== undefined || comments.length < PAGE) return found;
  }
}

async function main() {
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Refusal('expected the file with the summary, and no other');
  const place = placeOf(process.env);
  if (place === undefined) {
    say('no pull request, so there is nothing to comment on');
    return;
  }
  // in HTML comments two hyphens have a meaning
  const marker = `<!-- gradus gate: ${values.name.replaceAll('--', '-')} -->`;
  const link = values.link === undefined || values.link === '' ? '' : `\n[The whole report](${values.link})\n`;
  const summary = readFileSync(path, 'utf8');
  const room = MOST_CHARACTERS - marker.length - link.length;
  const body = `${marker}\n${summary.length <= room ? summary : `${summary.slice(0, room)}\n…\n`}${link}`;
  const before = await commentWith(marker, place);
  if (before === undefined) await request('POST', place.list, place.headers, { body });
  else await request(place.renew, place.one(before.id), place.headers, { body });
  say(before === undefined ? 'wrote a comment' : `renewed comment ${before.id}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Refusal) && error?.code !== 'ENOENT' && error?.message !== 'fetch failed') throw error;
  // the gate has decided already: a comment that cannot be written must not change that
  const prefix = process.env.GITHUB_ACTIONS === 'true' ? '::warning::' : '';
  say(`${prefix}no comment was written: ${error.message}`);
}
