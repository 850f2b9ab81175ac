/** The end of a run before its time: the exit status, and what goes to standard error as byte text. */
export class Quit extends Error {
  readonly exitCode: number;
  readonly output: string;
  /** Whether what was written to standard output so far is lost, as when the tool aborts. */
  readonly losesOutput: boolean;

  constructor(exitCode: number, output: string, losesOutput = false) {
    super(output);
    this.name = 'Quit';
    this.exitCode = exitCode;
    this.output = output;
    this.losesOutput = losesOutput;
  }
}
