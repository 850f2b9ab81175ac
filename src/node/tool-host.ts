import { InputError } from '../core/problem.js';
import type { ToolHost } from '../tools/host.js';
import { writeWholeFile } from './output/output-file.js';
import { readInPieces } from './output/plain-file.js';
import { writeFully } from './terminal.js';

/** The files and streams of this process, for the tools that Gradus stands in for. */
export const nodeToolHost: ToolHost = {
  read: readInPieces,
  write(path, content) {
    try {
      writeWholeFile(path, content);
      return true;
    } catch (error) {
      // whether it matters is for the tool to say
      if (error instanceof InputError) return false;
      throw error;
    }
  },
  writeOut: (bytes) => writeFully(1, bytes, 'standard output'),
  writeErr: (bytes) => writeFully(2, bytes, 'standard error'),
};
