// Sees to it that there is a Chromium for the tests of the browser app. Where none is found on a Debian system and this runs as root,
// it is installed with apt-get; nothing is downloaded from elsewhere.
//
//   node scripts/ensure-chromium.mjs
import { spawnSync } from 'node:child_process';
import { findChromium } from '../dist/node/output/pdf.js';

const say = (words) => process.stderr.write(`${words}\n`);

function give(reason) {
  say(`The tests of the browser app need Chromium: ${reason}.`);
  say('Install it (on Debian: apt-get install chromium), or name the program in CHROME_PATH, and run the tests again.');
  process.exit(1);
}

/** Runs a command whose output is shown only if it fails. */
function run(command, args) {
  say(`+ ${command} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) {
    say(`${stdout ?? ''}${stderr ?? ''}`.trim());
    give(`${command} did not succeed`);
  }
}

if (findChromium(process.env) === undefined) {
  if (process.env.CHROME_PATH) give(`CHROME_PATH names no program: ${process.env.CHROME_PATH}`);
  if (spawnSync('apt-get', ['--version']).status !== 0) give('none was found, and this is not a system with apt-get');
  if (process.getuid?.() !== 0) give('none was found, and only root can install it');
  say("The tests of the browser app need Chromium, and none was found. Installing Debian's:");
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
  if (findChromium(process.env) === undefined) give('it was installed, and still none was found');
}
