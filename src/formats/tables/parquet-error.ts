/** A file that is not as it says. The message is a clause about it. */
export class DamagedParquet extends Error {}
