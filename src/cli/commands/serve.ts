import { appFolder, openInBrowser, serveFolder, untilStopped } from '../../node/index.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';

/** Serves the browser app until it is interrupted. */
export const serveCommand: Command = defineCommand({
  name: 'serve',
  summary: 'show the browser app on this machine',
  description: [
    'Serves the browser app to this machine: drop judgements and runs on the page and look at them. Files are read by the page itself and go nowhere.',
    'The server listens on 127.0.0.1 only, answers only to that name and to localhost, and reads nothing but the files of the app. Clients that ask for more than they take are dropped. Ctrl-C stops it.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus serve', explains: 'on a free port, whose address is printed' },
    { command: 'gradus serve --port 8080 --open', explains: 'on a port of your choice, shown in the browser' },
  ],
  arguments: [],
  options: [
    { long: 'port', value: 'N', type: 'integer', min: 1, max: 65_535, help: 'where to listen', defaultText: 'a free port' },
    { long: 'open', help: 'show the page in the browser' },
  ],

  async run(args, context) {
    const app = await serveFolder({ folder: appFolder(), port: args.number('port') });
    context.stdout.write(`${app.address}\n`);
    // the address is wanted now, not when the program ends
    context.stdout.flush?.();
    if (!args.has('quiet')) context.stderr.write('gradus: Ctrl-C stops the server\n');
    if (args.has('open')) await openInBrowser(app.address);
    await untilStopped();
    await app.stop();
    return 0;
  },
});
