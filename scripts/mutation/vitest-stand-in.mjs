// What the tests import in place of vitest while mutants are tried: the same assertions, and a list of tests that can be run
// one by one, any number of times, in one process. Starting vitest anew for every mutant would take a hundred times as long.
import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);

/** @type {{ file: string, title: string, groups: Group[], body: (context: object) => unknown }[]} */
export const tests = [];

function makeGroup(title, parent) {
  return { title, parent, before: [], after: [], beforeEach: [], afterEach: [], begun: false };
}

let group = makeGroup('', undefined);
export function beginFile(file) {
  group = { ...makeGroup('', undefined), file };
}

function groupsOf(innermost) {
  const groups = [];
  for (let one = innermost; one !== undefined; one = one.parent) groups.unshift(one);
  return groups;
}

/** `%s` and `$name` in the title of a table's row are left as they are: titles only name tests to people here. */
function each(declare) {
  return (rows) => (title, body, timeout) => {
    for (const row of rows) {
      const cells = Array.isArray(row) ? row : [row];
      declare(`${title} ${String(cells[0]).slice(0, 40)}`, (context) => body(...cells, context), timeout);
    }
  };
}

function declareTest(title, first, second) {
  const body = typeof first === 'function' ? first : second;
  const groups = groupsOf(group);
  tests.push({ file: groups[0].file, title: [...groups.map((one) => one.title), title].filter(Boolean).join(' '), groups, body });
}

function declareGroup(title, first, second) {
  const outer = group;
  group = makeGroup(String(title), outer);
  (typeof first === 'function' ? first : second)();
  group = outer;
}

export const test = Object.assign(declareTest, { each: each(declareTest) });
export const it = Object.assign((...given) => declareTest(...given), { each: each(declareTest) });
export const describe = Object.assign(declareGroup, { each: each(declareGroup) });
export const beforeAll = (hook) => group.before.push(hook);
export const afterAll = (hook) => group.after.push(hook);
export const beforeEach = (hook) => group.beforeEach.push(hook);
export const afterEach = (hook) => group.afterEach.push(hook);

/** Runs one test with its hooks. What precedes a whole group runs once, before the first of its tests, and is never undone. */
export async function runTest(one) {
  for (const part of one.groups) {
    if (part.begun) continue;
    part.begun = true;
    for (const hook of part.before) await hook();
  }
  for (const part of one.groups) for (const hook of part.beforeEach) await hook();
  try {
    await one.body({});
  } finally {
    for (const part of one.groups) for (const hook of part.afterEach) await hook();
  }
}
