/** Stands in the place of the names of all characters of HTML, which linkedom brings along: charts begin with an empty page. */
export const htmlDecodeTree: Uint16Array = new Uint16Array(1);
