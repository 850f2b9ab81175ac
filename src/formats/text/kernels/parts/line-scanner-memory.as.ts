// Where things lie in the scanner's memory; `line-scanner-wasm.ts` knows the same addresses.

// header: one 32-bit word each; places in the text count from its start
export const POSITION: usize = 0;
export const END: usize = 4;
export const NUM_LINES: usize = 8;
export const MAX_LINES: usize = 12;
export const NUM_ODD: usize = 16;
export const TOPIC_START: usize = 20;
export const TOPIC_END: usize = 24;
export const TAG_START: usize = 28;
export const TAG_END: usize = 32;
export const COMMENT_END: usize = 36;
export const NEW_RECORDS: usize = 40; // consumed by this call
export const NEW_LINES: usize = 44;
// the layout of a line
export const NUM_EDGES: usize = 48; // two per field
export const EXTRA_EDGES: usize = 52; // how many more are allowed
export const TOPIC_AT: usize = 56; // where in EDGES the fields stand, in bytes; -1 if lines of any topic go together
export const DOC_AT: usize = 60;
export const NUMBER_AT: usize = 64;
export const TAG_AT: usize = 68; // -1 if there is none
export const KEPT_AT: usize = 72; // two words
export const NUM_KEPT: usize = 80;
export const INTEGERS: usize = 84;
export const BLANK_IS_BAD: usize = 88;
export const COMMENT_BYTE: usize = 92; // '#', or a number no byte has
export const COMMENTS_SINGLE: usize = 96;
export const PLAIN: usize = 100; // whether `plainLines` knows this layout
// addresses of the columns
export const NUMBERS: usize = 104;
export const DOC_START: usize = 108;
export const DOC_END: usize = 112;
export const DOC_HASH: usize = 116;
export const ODD: usize = 120;
export const ODD_START: usize = 124;
export const ODD_END: usize = 128;
export const KEPT: usize = 132; // start and end of each kept field: four words

// scratch
export const EDGES: usize = 256; // of the line at hand: start and end of each field
export const NUMBER_START: usize = 1024; // of the numbers of the batch
export const NUMBER_END: usize = 2048;
export const PENDING: usize = 3072; // numbers of the batch still to be read, as offsets into the two above
export const BATCH: u32 = 256;

// tables
export const CONSTANTS: usize = 4096; // see `constant`
export const MASKS: usize = 4160; // 32 zero bytes, then 32 bytes of ones
export const POWERS_OF_TEN: usize = 4224; // 10^0 to 10^22 as doubles
export const SIGN_LENGTHS: usize = 4416; // by first byte of a number: 1 for + and -, else 0
export const SIGNS: usize = 4672; // by first byte of a number: the double -1 for -, else 1
// by MAX_POWER - q, 32 bytes each: the first 128 bits of 5^q, high word first, and the exponent of 10^q
export const POWERS_OF_FIVE: usize = 6720;
export const MIN_POWER: i32 = -128;
export const MAX_POWER: i32 = 64;
export const POWER_ZERO: usize = POWERS_OF_FIVE + (MAX_POWER << 5);
export const TEXT: usize = 13056;

/** A vector with the same byte everywhere. It comes from memory because an engine builds a constant anew in each turn
 *  of a loop, but keeps a loaded value in a register. */
@inline
export function constant(k: usize): v128 {
  return v128.load8_splat(CONSTANTS + k);
}
