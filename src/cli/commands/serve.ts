import { appFolder, fileSource, openInBrowser, saveApp, serveFolder, untilStopped } from '../../node/index.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';

/** Serves the browser app until it is interrupted. */
export const serveCommand: Command = defineCommand({
  name: 'serve',
  summary: 'show the browser app on this machine',
  description: [
    'Serves the browser app to this machine: drop judgements and runs on the page, or name them here and the page opens with them. Files are read by the page itself and go nowhere else.',
    'The server listens on 127.0.0.1 only, answers only to that name and to localhost, and reads nothing but the files of the app and those that are named. With --host it listens on another address, as containers need it, and answers only to requests with the token in the address that it prints. Clients that ask for more than they take are dropped. Ctrl-C stops it.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus serve', explains: 'on a free port, whose address is printed' },
    { command: 'gradus serve qrels.txt bm25.run neural.run --open', explains: 'with these files, shown in the browser' },
    { command: 'gradus serve --save page', explains: 'the page as static files, for a web server of your own' },
    { command: 'gradus serve --host 0.0.0.0 --port 8080', explains: 'in a container: reached from outside, by the address with its token' },
  ],
  arguments: [
    { name: 'QRELS', help: 'judgements that the page opens with', optional: true, file: 'input' },
    { name: 'RUN', help: 'runs that it opens with', optional: true, repeatable: true, file: 'input' },
  ],
  options: [
    { long: 'port', value: 'N', type: 'integer', min: 1, max: 65_535, help: 'where to listen', defaultText: 'a free port' },
    {
      long: 'host',
      value: 'HOST',
      help: 'listen on this address, such as 0.0.0.0 in a container; requests then need the token in the printed address',
      defaultText: '127.0.0.1, without a token',
    },
    { long: 'open', help: 'show the page in the browser' },
    {
      long: 'save',
      value: 'FOLDER',
      help: 'write the files of the page into this folder instead, for any web server to offer',
    },
  ],

  check(args) {
    if (args.has('save')) {
      const served = (['port', 'host', 'open'] as const).filter((one) => args.has(one));
      return [
        ...served.map((one) => ({ message: `--save serves nothing, so that --${one} has no meaning`, wayOut: `leave --${one} out` })),
        ...(args.positionals.length > 0 ? [{ message: '--save writes the page without any files', wayOut: 'drop them on the page' }] : []),
      ];
    }
    if (!args.positionals.includes('-')) return [];
    return [{ message: 'standard input cannot be served', wayOut: 'save it to a file and name that' }];
  },

  async run(args, context) {
    const target = args.value('save');
    if (target !== undefined) {
      const count = saveApp(target);
      if (!args.has('quiet')) context.stderr.write(`gradus: ${count} files of the page are in ${target}\n`);
      return 0;
    }
    const files = args.positionals.map((path) => fileSource(path));
    for (const file of files) file.check?.();
    const app = await serveFolder({ folder: appFolder(), port: args.number('port'), host: args.value('host'), files });
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
