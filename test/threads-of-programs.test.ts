import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { repository } from './helpers/run-gradus.js';

const program = `
  import { createTeam } from 'gradus/node';
  const team = createTeam(3);
  console.log(await team.run(new URL('data:text/javascript,export const work = (data, number) => data * number'), 10));
  await team.close();`;

describe('threads of a program', () => {
  test.each([
    ['as an argument', ['--input-type=module', '--eval', program], ''],
    ['as an argument, with options in words of their own', ['--input-type', 'module', '-e', program], ''],
    ['on standard input', ['--input-type=module', '-'], program],
  ])('start when its text is given %s', (_, argv, input) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, { cwd: repository, encoding: 'utf8', input });
    expect({ stdout, stderr, status }).toEqual({ stdout: '[ 10, 20 ]\n', stderr: '', status: 0 });
  });
});
