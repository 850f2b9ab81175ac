// Mutants that cannot change any result, each with the reason. They are left out of the score.
// `line` is the source line without the space around it, `change` what --only prints for a survivor.
const EQUIVALENT = [];

const used = new Set();

export function reasonWhyEquivalent({ file, line, change }) {
  const entry = EQUIVALENT.find((one) => one.file === file && one.line === line && one.changes.includes(change));
  used.add(entry);
  return entry?.reason;
}

/** Entries for mutants that are no longer there. */
export const unusedEntries = () => EQUIVALENT.filter((entry) => !used.has(entry));
