import type { Context, TextWriter } from '../../src/cli/parse/command.js';

/** A world for commands that keeps what is written to it. */
export class CapturedContext implements Context {
  readonly stdout: CapturedWriter;
  readonly stderr: CapturedWriter;
  readonly environment: Record<string, string | undefined>;

  constructor({
    terminal = false,
    columns = 80,
    environment = {},
  }: { terminal?: boolean; columns?: number; environment?: Record<string, string> } = {}) {
    this.stdout = new CapturedWriter(terminal, columns);
    this.stderr = new CapturedWriter(terminal, columns);
    this.environment = environment;
  }
}

export class CapturedWriter implements TextWriter {
  text = '';
  readonly isTerminal: boolean;
  readonly columns: number;

  constructor(isTerminal = false, columns = 80) {
    this.isTerminal = isTerminal;
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }
}
