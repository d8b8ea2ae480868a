/** Lines that repeat, so that merging them is expensive. */
const repetitive = 'the same line again\n'.repeat(150);

/** Too large to be read with its note, or to be merged on the event loop of a service. */
const large = Array.from({ length: 250 }, (_, index) =>
  `${index} of a large note`.padEnd(119, '_'),
);

/** Texts that are small to send, or to change, and large in their effect. None of them has a word of a client. */
export const hardTexts: readonly string[] = [repetitive, `${large.join('\n')}\n`];

/** More lines than a call may have arguments. */
export const manyLines = 'l\n'.repeat(130_000);
