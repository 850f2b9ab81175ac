/** A measure or a rule that SQL has no words for, and why. */
export class NotInSql extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.name = 'NotInSql';
    this.reason = reason;
  }
}
