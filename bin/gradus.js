#!/usr/bin/env node
// Says clearly what is missing on an old Node or in a checkout that was not built, then hands over to the program.
const [major, minor] = process.versions.node.split('.').map(Number);
const start = new URL('../dist/cli/main.js', import.meta.url);

function refuse(message) {
  process.stderr.write(`gradus: ${message}\n`);
  process.exitCode = 2;
}

if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Node ${process.versions.node} is too old; Gradus needs Node 20.19 or newer`);
} else {
  import(start.href).then(
    (main) => main.runProcess(),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist')) throw error;
      refuse('the program is not built; run `npm run build` in its folder first');
    },
  );
}
