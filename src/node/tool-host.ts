import { InputError } from '../core/problem.js';
import type { ToolHost } from '../tools/host.js';
import type { RankLibTrainingHost } from '../tools/ranklib/train.js';
import { fileSource } from './files.js';
import { listenForInterrupt } from './interrupt.js';
import { writeOutputFile, writeWholeFile } from './output/output-file.js';
import { checkOutput } from './output/output-place.js';
import { readInPieces } from './output/plain-file.js';
import { refuseOverwriting } from './same-file.js';
import { writeFully } from './terminal.js';
import { trainingTeam } from './threads/training-team.js';

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

/** The same with threads and Ctrl-C, for training as RankLib. */
export const nodeRankLibHost: RankLibTrainingHost = {
  writeOut: nodeToolHost.writeOut,
  source: fileSource,
  checkFiles(files) {
    refuseOverwriting(files);
    for (const { use, path } of files) if (use === 'output') checkOutput(path);
  },
  writeFile: (path, content) =>
    writeOutputFile(path, (writer) => (typeof content === 'string' ? writer.write(content) : writer.writeBytes(content))),
  trainingTeam,
  listenForInterrupt,
};
