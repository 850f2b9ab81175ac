import { ignoreInterrupts } from '../../node/index.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';

/** Answers the calls of another program. */
export const workerCommand: Command = defineCommand({
  name: 'worker',
  summary: 'answer the calls of another program, over standard input and output',
  description: [
    'For programs in other languages, such as the Python package: messages on standard input ask for what the commands do, and answers come on standard output. Runs, judgements and features travel as columns of numbers and ids, and every command can be called on them; docs/worker-protocol.md describes the messages.',
    'A call that cannot be answered gets the sentence that the command would print, and the worker goes on. It ends when its input does, or at bytes that are no message, which is status 2. Nothing is kept between calls but what a program asked it to hold.',
  ].join('\n\n'),
  examples: [{ command: 'gradus worker', explains: 'started by a program that writes and reads messages' }],
  arguments: [],
  options: [],

  async run(_, context) {
    const { answerCalls } = await import('../worker/answer-calls.js');
    // Ctrl-C in the terminal of the program that asks is for that program to deal with
    ignoreInterrupts();
    return await answerCalls(context, { input: 0, output: 1 });
  },
});
