#!/usr/bin/env node
// Says clearly what is missing on an old Node or in a checkout that was not built, then hands over to the program.
const [major, minor] = process.versions.node.split('.').map(Number);

function refuse(message) {
  process.stderr.write(`gradus: ${message}\n`);
  process.exitCode = 2;
}

function start() {
  if (major < 20 || (major === 20 && minor < 19)) {
    refuse(`Node ${process.versions.node} is too old; Gradus needs Node 20.19 or newer`);
    return;
  }
  let main;
  try {
    if (major < 22) main = require('./compiled.js').loadProgram();
    else {
      // from 22.1 on Node remembers what it compiled the last time
      require('node:module').enableCompileCache?.();
      main = require('../dist/bin/main.js');
    }
  } catch (error) {
    if (error.code === 'EMFILE' || error.code === 'ENFILE') {
      refuse('too many files are open; allow more, as with: ulimit -n 256');
      return;
    }
    if (error.code !== 'MODULE_NOT_FOUND' && error.code !== 'ENOENT') throw error;
    refuse('the program is not built; run `npm run build` in its folder first');
    return;
  }
  main.runProcess();
}

start();
