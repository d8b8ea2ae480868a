/** Repeated lines make merges expensive. */
const repetitive = 'the same line again\n'.repeat(150);

/** Above the size at which content is read separately and merged in a thread. */
const large = Array.from({ length: 250 }, (_, index) =>
  `${index} of a large note`.padEnd(119, '_'),
);

/** Texts that are cheap to send and expensive to process. None contains a client's token. */
export const hardTexts: readonly string[] = [repetitive, `${large.join('\n')}\n`];

/** More lines than a function call may have arguments. */
export const manyLines = 'l\n'.repeat(130_000);
