/** Files as people have them: columns of any name, texts, folders, sizes of queries, repeated documents. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, dropFiles, type OpenApp, openFiles, openSettings, openView, startApp, tableRows } from '../helpers/browser.js';

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

beforeAll(async () => {
  server = await startApp();
  app = await server.open();
}, 60_000);

afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await server.stop();
});

const startOver = async (): Promise<void> => {
  const button = app.page.getByRole('button', { name: 'Start over' });
  if (await button.isVisible()) {
    await button.click();
    await app.page.getByRole('button', { name: 'Yes, start over' }).click();
    await app.page.getByRole('heading', { name: 'How good is this ranking?' }).waitFor();
    await app.page.evaluate(() => history.pushState(null, '', '#/leaderboard?show=table'));
    await app.page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  }
  await app.page.getByRole('heading', { name: 'How good is this ranking?' }).waitFor();
};

/** The means of each system, as the page shows them. */
const scores = async (): Promise<string[][]> => {
  await app.page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  return (await tableRows(app.page, 'Scores')).slice(1);
};

function folder(files: Readonly<Record<string, string>>): string {
  const root = join(mkdtempSync(join(tmpdir(), 'gradus-folder-')), 'given');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const chooseFolder = (path: string): Promise<void> => app.page.getByLabel('Folder', { exact: true }).setInputFiles(path);

test('columns nobody knows are chosen from a list beside the first rows, for all files with the same header', async () => {
  await startOver();
  await dropFiles(app.page, [
    { name: 'rated.csv', content: 'suche,artikel,note\nmaus,p1,3\nmaus,p2,0\n' },
    { name: 'a.csv', content: 'suche,artikel,wert\nmaus,p1,2\nmaus,p2,1\n' },
    { name: 'b.csv', content: 'suche,artikel,wert\nmaus,p2,2\nmaus,p1,1\n' },
  ]);
  const rated = app.page.getByRole('form', { name: 'Columns of rated.csv' });
  await rated.waitFor();
  expect(await tableRows(app.page, 'First rows of rated.csv')).toEqual([
    ['suche', 'artikel', 'note'],
    ['maus', 'p1', '3'],
    ['maus', 'p2', '0'],
  ]);
  await rated.getByLabel('This file holds').selectOption('judgements');
  await rated.getByLabel('Query or topic').selectOption('suche');
  await rated.getByLabel('Document').selectOption('artikel');
  expect(await rated.getByRole('button').isDisabled()).toBe(true);
  await rated.getByLabel('Grade').selectOption('note');
  await rated.getByRole('button', { name: 'Read with these columns' }).click();
  const run = app.page.getByRole('form', { name: 'Columns of a.csv' });
  await run.getByLabel('Query or topic').selectOption('suche');
  await run.getByLabel('Document').selectOption('artikel');
  await run.getByLabel('Score').selectOption('wert');
  await run.getByText('Also for the other file with these columns').waitFor();
  expect(await axeViolations(app.page)).toEqual([]);
  await run.getByRole('button', { name: 'Read with these columns' }).click();
  const rows = await scores();
  // RR: a has the only relevant document first, b second
  expect(rows.map((row) => [row[0], row[3]])).toEqual([
    ['a', '1.0000'],
    ['b', '0.5000'],
  ]);
});

test('grades that are words get numbers, proposed where the scale is known', async () => {
  await startOver();
  const run = { name: 'a.run', content: '1 Q0 b 1 2 a\n1 Q0 a 2 1 a\n2 Q0 c 1 2 a\n2 Q0 d 2 1 a\n' };
  await dropFiles(app.page, [
    { name: 'esci.csv', content: 'query_id,doc_id,grade\n1,a,Exact\n1,b,Irrelevant\n2,c,Partial\n2,d,Exact\n' },
    run,
  ]);
  const form = app.page.getByRole('form', { name: 'Grades of esci.csv' });
  expect(await form.getByLabel('Exact').inputValue()).toBe('2');
  expect(await form.getByLabel('Irrelevant').inputValue()).toBe('0');
  expect(await axeViolations(app.page)).toEqual([]);
  await form.getByRole('button', { name: 'Read with these grades' }).click();
  // (2 / lb 3) / 2 and (1 + 2 / lb 3) / (2 + 1 / lb 3), halved
  expect((await scores())[0].slice(0, 2)).toEqual(['a', '0.7453']);

  // words that no scale has wait for a person
  await startOver();
  await dropFiles(app.page, [{ name: 'own.csv', content: 'query_id,doc_id,grade\n1,a,super\n1,b,meh\n2,c,super\n2,d,meh\n' }, run]);
  const own = app.page.getByRole('form', { name: 'Grades of own.csv' });
  await own.getByText('Still missing: super, meh.').waitFor();
  await own.getByLabel('super').fill('1');
  expect(await own.getByRole('button').isDisabled()).toBe(true);
  await own.getByLabel('meh').fill('0');
  await own.getByRole('button').click();
  // RR: second on one topic, first on the other
  expect((await scores())[0][3]).toBe('0.7500');
});

test('texts of queries and documents stand beside their ids', async () => {
  await startOver();
  await dropFiles(app.page, [
    { name: 'a.qrels', content: 'q1 0 d1 1\nq1 0 d9 2\n' },
    { name: 'a.run', content: 'q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n' },
    { name: 'queries.jsonl', content: '{"_id":"q1","text":"usb c hub"}\n' },
    {
      name: 'corpus.jsonl',
      content:
        '{"_id":"d1","title":"Hub with 7 ports","url":"https://shop.example/d1"}\n{"_id":"d2","title":"Cable","url":"javascript:alert(1)"}\n{"_id":"d9","title":"Never found"}\n',
    },
  ]);
  await openView(app.page, 'One topic');
  await app.page.getByText('usb c hub', { exact: true }).waitFor();
  const rows = await tableRows(app.page, 'The ranked list');
  expect(rows.slice(1).map((row) => row[1])).toEqual(['d1Hub with 7 ports', 'd2Cable']);
  expect(await app.page.getByRole('link', { name: 'Hub with 7 ports' }).getAttribute('href')).toBe('https://shop.example/d1');
  expect(await app.page.getByRole('link', { name: 'Cable' }).count()).toBe(0);
  await app.page.getByText('1 relevant document not found').click();
  await app.page.getByText('Never found').waitFor();
});

test('texts that belong to other ids are a note, not a stop', async () => {
  await startOver();
  await dropFiles(app.page, [
    { name: 'a.qrels', content: 'q1 0 d1 1\n' },
    { name: 'a.run', content: 'q1 Q0 d1 1 2 a\n' },
    { name: 'queries.jsonl', content: '{"_id":"77","text":"usb c hub"}\n' },
  ]);
  await app.page.getByText('queries.jsonl: has none of the 1 topics that are shown, such as q1; its first id is 77').waitFor();
  expect((await scores())[0][0]).toBe('a');
});

test('a folder of answers is one run, and a BEIR folder is judgements and texts', async () => {
  await startOver();
  const hits = (...ids: string[]): string =>
    JSON.stringify({ took: 1, hits: { hits: ids.map((_id) => ({ _index: 'i', _id, _score: 1 })) } });
  await chooseFolder(folder({ 'q1.json': hits('d2', 'd1'), 'q2.json': hits('d3') }));
  await app.page.getByText('2 topics, 3 documents ·').waitFor();
  await chooseFolder(
    folder({
      'corpus.jsonl': '{"_id":"d1","title":"First","text":"…"}\n',
      'queries.jsonl': '{"_id":"q1","text":"one"}\n{"_id":"q2","text":"two"}\n',
      'qrels/train.tsv': 'query-id\tcorpus-id\tscore\nq7\td1\t1\n',
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n',
    }),
  );
  const [row] = await scores();
  // RR of q1 is 1/2, of q2 it is 1
  expect([row[0], row[3]]).toEqual(['given', '0.7500']);
  expect(await app.page.getByText('test.tsv').count()).toBe(1);
  expect(await app.page.getByText('train.tsv').count()).toBe(0);
});

test('sizes of queries beside a LETOR file, whichever comes first', async () => {
  const letor = { name: 'test.txt', content: '1 1:0.5\n0 1:0.1\n0 1:0.3\n2 1:0.9\n' };
  const sizes = { name: 'test.txt.query', content: '2\n2\n' };
  for (const order of [
    [letor, sizes],
    [sizes, letor],
  ]) {
    await startOver();
    await dropFiles(app.page, [order[0]]);
    await app.page.getByText(order[0].name, { exact: true }).waitFor();
    await dropFiles(app.page, [order[1], { name: 'model.txt', content: '0.1\n0.2\n0.3\n0.4\n' }]);
    // the relevant line is second of the first query, first of the second
    expect((await scores())[0][3]).toBe('0.7500');
    await openFiles(app.page);
    await app.page.getByText('2 queries, 4 documents ·').waitFor();
  }
});

test('repeated documents count under the rules of search engines and are refused under others', async () => {
  const one = await server.open({ fragment: '#/leaderboard?show=table&measures=R@10' });
  const refused = one.page.getByRole('alert').getByText(/document d1/);
  const value = (): Promise<string> => tableRows(one.page, 'Scores').then((rows) => rows[1][1]);
  const hits = [
    { _id: 'd1', _score: 2 },
    { _id: 'd1', _score: 1 },
  ];
  await dropFiles(one.page, [
    { name: 'a.qrels', content: 'q1 0 d1 1\n' },
    { name: 'q1.json', content: JSON.stringify({ hits: { hits } }) },
  ]);
  await refused.waitFor();
  await one.page.getByText('Documents are returned more than once').waitFor();
  await openSettings(one.page);
  await one.page.locator('#convention').selectOption('elasticsearch');
  await refused.waitFor({ state: 'detached' });
  await one.page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  // Elasticsearch counts the same document twice among the relevant ones that were found, of which there is one
  expect(await value()).toBe('2.0000');
  await one.page.locator('#convention').selectOption('gradus');
  await refused.waitFor();
  await one.page.getByRole('button', { name: 'Keep the first of each' }).click();
  await refused.waitFor({ state: 'detached' });
  await expect.poll(value).toBe('1.0000');
  await one.close();
});
