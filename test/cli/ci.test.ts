import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const data = (name: string): string => join(root, 'examples/data', name);

interface Comment {
  readonly id: number;
  body: string;
}

/** As much of the two interfaces as comments need. Every request is kept. */
let comments: Comment[] = [];
let requests: string[] = [];
let isReadOnly = false;
let server: Server;
let address = '';
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-ci-'));
  server = createServer(async (request, response) => {
    const { status, content } = await answerTo(request);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(content));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  comments = [];
  requests = [];
  isReadOnly = false;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answerTo(request: IncomingMessage): Promise<{ status: number; content: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '', address);
  requests.push(`${request.method} ${pathname}`);
  const isGitHub = request.headers.authorization === 'Bearer secret' && pathname.startsWith('/repos/team/shop/issues');
  const isGitLab = request.headers['private-token'] === 'secret' && pathname.startsWith('/projects/17/merge_requests/3/notes');
  if (!isGitHub && !isGitLab) return { status: 401, content: {} };
  if (request.method === 'GET') {
    const [size, page] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))];
    return { status: 200, content: comments.slice(size * (page - 1), size * page) };
  }
  if (isReadOnly) return { status: 403, content: { message: 'Resource not accessible by integration' } };
  const { body } = JSON.parse(Buffer.concat(chunks).toString()) as { body: string };
  if (request.method === 'POST') {
    const comment = { id: 1000 + comments.length, body };
    comments.push(comment);
    return { status: 201, content: comment };
  }
  const found = comments.find(({ id }) => pathname.endsWith(`/${id}`));
  if (found === undefined || request.method !== (isGitHub ? 'PATCH' : 'PUT')) return { status: 404, content: {} };
  found.body = body;
  return { status: 200, content: found };
}

interface Ran {
  readonly status: number;
  readonly out: string;
}

function run(program: string, argv: readonly string[], environment: Record<string, string>): Promise<Ran> {
  return new Promise((done) => {
    const env = { PATH: process.env.PATH, ...environment };
    execFile(program, argv, { cwd: folder, env }, (error, out, err) => {
      done({ status: error === null ? 0 : Number(error.code), out: out + err });
    });
  });
}

const gradus = `${process.execPath} ${join(root, 'bin/gradus.js')}`;

function githubEnvironment(): Record<string, string> {
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 5 } }));
  for (const name of ['summary', 'output']) writeFileSync(join(folder, name), '');
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: address,
    GITHUB_REPOSITORY: 'team/shop',
    GITHUB_TOKEN: 'secret',
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_ACTION_PATH: root,
  };
}

/** The scripts of action.yml: what stands behind `run:`, on its line or indented below it. */
function scriptsOf(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    const found = /^(\s+)(?:- )?run: (.*)$/.exec(line);
    if (found === null) return [];
    if (found[2] !== '|') return [found[2]];
    const block: string[] = [];
    for (const next of lines.slice(at + 1)) {
      if (next !== '' && !next.startsWith(`${found[1]}  `)) break;
      block.push(next.slice(found[1].length + 2));
    }
    return [block.join('\n')];
  });
}

/** Runs the steps of the action as GitHub does, up to the attaching of the report. */
async function runAction(baseline: string, candidate: string, options = ''): Promise<{ gate: Ran; comment: Ran; passed: string }> {
  const [gateScript, commentScript, ...rest] = scriptsOf('action.yml');
  expect(rest).toEqual(['exit 1']);
  const environment = githubEnvironment();
  const inputs = { GRADUS: gradus, JUDGEMENTS: data('example.qrels'), BASELINE: baseline, CANDIDATE: candidate, OPTIONS: options };
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c'];
  const gate = await run('bash', [...shell, gateScript], { ...environment, ...inputs });
  const passed = readFileSync(join(folder, 'output'), 'utf8');
  const comment = await run('bash', [...shell, commentScript], { ...environment, LINK: 'https://example.org/report', NAME: 'relevance' });
  return { gate, comment, passed };
}

describe('action.yml', () => {
  test('writes one comment with verdict, topics and link, and renews it', async () => {
    comments.push({ id: 1, body: 'Looks good to me' });
    const first = await runAction(data('hybrid.run'), data('bm25.run'));
    expect([first.gate.status, first.passed, first.comment]).toEqual([0, 'passed=false\n', { status: 0, out: 'wrote a comment\n' }]);
    expect(comments).toHaveLength(2);
    // nDCG@10 of the two runs, and the topic that fell most, as `gradus eval -q` prints them
    expect(comments[1].body).toContain('FAIL: bm25 against hybrid: nDCG@10');
    expect(comments[1].body).toMatch(/\| q1 +\| +0\.8180 \| +0\.1969 \| 0\.6210 \|/);
    expect(comments[1].body).toContain('[The whole report](https://example.org/report)');
    expect(readFileSync(join(folder, 'gradus-gate/report.html'), 'utf8')).toContain('<!doctype html>');
    expect(readFileSync(join(folder, 'gradus-gate/gate.xml'), 'utf8')).toContain('<failure');
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain('FAIL');

    const second = await runAction(data('bm25.run'), data('hybrid.run'));
    expect([second.passed, second.comment]).toEqual(['passed=true\n', { status: 0, out: 'renewed comment 1001\n' }]);
    expect(comments).toHaveLength(2);
    expect(comments[0].body).toBe('Looks good to me');
    expect(comments[1].body).toContain('PASS: hybrid may take the place of bm25');
    expect(comments[1].body).not.toContain('FAIL');
  }, 300_000);

  test('reports on the candidate alone where the baseline is stored scores', async () => {
    const stored = join(folder, 'baseline.json');
    await run('bash', ['-c', `${gradus} eval ${data('example.qrels')} ${data('hybrid.run')} -q --json -m nDCG@10 -o ${stored}`], {});
    const { passed } = await runAction(stored, data('hybrid.run'), '--max-drop 5% -m nDCG@10');
    expect(passed).toBe('passed=true\n');
    expect(readFileSync(join(folder, 'gradus-gate/report.html'), 'utf8')).toContain('hybrid');
  }, 300_000);

  test('ends with the status of bad input, and says nothing about passing', async () => {
    const { gate, passed } = await runAction(data('nowhere.run'), data('bm25.run'));
    expect([gate.status, passed]).toEqual([2, '']);
    expect(gate.out).toContain('no such file');
  }, 300_000);
});

describe('ci/comment.mjs', () => {
  const summary = (): string => {
    writeFileSync(join(folder, 'summary.md'), '## PASS\n');
    return join(folder, 'summary.md');
  };
  const script = join(root, 'ci/comment.mjs');

  test('finds its comment behind many others, and leaves that of another gate alone', async () => {
    comments = Array.from({ length: 250 }, (_, id) => ({ id, body: `comment ${id}` }));
    const environment = githubEnvironment();
    expect((await run(process.execPath, [script, summary(), '--name', 'shop'], environment)).out).toBe('wrote a comment\n');
    expect((await run(process.execPath, [script, summary(), '--name', 'help'], environment)).out).toBe('wrote a comment\n');
    expect((await run(process.execPath, [script, summary(), '--name', 'shop'], environment)).out).toBe('renewed comment 1250\n');
    expect(comments).toHaveLength(252);
  }, 300_000);

  test('writes and renews a note on GitLab', async () => {
    const environment = { CI_API_V4_URL: address, CI_PROJECT_ID: '17', CI_MERGE_REQUEST_IID: '3', GITLAB_TOKEN: 'secret' };
    expect((await run(process.execPath, [script, summary()], environment)).out).toBe('wrote a comment\n');
    expect((await run(process.execPath, [script, summary()], environment)).out).toBe('renewed comment 1000\n');
    expect(requests.at(-1)).toBe('PUT /projects/17/merge_requests/3/notes/1000');
    expect(comments).toHaveLength(1);
  }, 300_000);

  test('a comment that cannot be written changes nothing about the gate', async () => {
    isReadOnly = true;
    const refused = await run(process.execPath, [script, summary()], githubEnvironment());
    expect(refused).toEqual({
      status: 0,
      out: '::warning::no comment was written: POST /repos/team/shop/issues/5/comments: 403, the token may not do this\n',
    });
    const { GITHUB_TOKEN: _, ...without } = githubEnvironment();
    expect((await run(process.execPath, [script, summary()], without)).out).toContain('no comment was written: GITHUB_TOKEN is not set');
    writeFileSync(join(folder, 'event.json'), '{}');
    expect((await run(process.execPath, [script, summary()], {})).out).toBe('no pull request, so there is nothing to comment on\n');
  }, 300_000);
});

describe('ci/gitlab.yml', () => {
  test('runs the same steps, and ends with the status of the gate', async () => {
    const lines = readFileSync(join(root, 'ci/gitlab.yml'), 'utf8').split('\n');
    const from = lines.indexOf('  script:');
    const script = lines
      .slice(from + 1, lines.indexOf('  artifacts:'))
      .map((line) => line.replace(/^ {4}- /, ''))
      .join('\n')
      .replace('node_modules/gradus', root);
    const environment = {
      CI_API_V4_URL: address,
      CI_PROJECT_ID: '17',
      CI_MERGE_REQUEST_IID: '3',
      CI_JOB_URL: 'https://example.org/jobs/1',
      GITLAB_TOKEN: 'secret',
      GRADUS: gradus,
      GATE_OPTIONS: '',
      GATE_NAME: 'relevance',
      JUDGEMENTS: data('example.qrels'),
      BASELINE: data('hybrid.run'),
      CANDIDATE: data('bm25.run'),
    };
    expect((await run('bash', ['-c', script], environment)).status).toBe(1);
    expect(comments[0].body).toContain('FAIL: bm25 against hybrid: nDCG@10');
    expect(comments[0].body).toContain('(https://example.org/jobs/1/artifacts/file/gradus-gate/report.html)');
  }, 300_000);
});
