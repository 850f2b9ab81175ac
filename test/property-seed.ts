import fc from 'fast-check';

/**
 * Property tests draw the same cases in every run, so that a red run can be repeated and a green one says the same
 * everywhere. `GRADUS_TEST_SEED=17 npx vitest run` draws others, which is how rare cases are looked for.
 */
const seed = Number(process.env.GRADUS_TEST_SEED ?? 20_261_116);
if (!Number.isInteger(seed)) throw new Error(`GRADUS_TEST_SEED must be a whole number, not '${process.env.GRADUS_TEST_SEED}'`);
fc.configureGlobal({ seed });
