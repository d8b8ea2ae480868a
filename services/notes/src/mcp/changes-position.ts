import { AppError, timestamp } from '@commonplace/contracts/core';

/** Where a list of changes ended: the position in the feed, and the time of the newest change. */
export type ChangesPosition = { readonly head: number; readonly atMs: number };

/** As text: short, because a model copies it. */
export const writePosition = ({ head, atMs }: ChangesPosition): string =>
  `${head}.${atMs.toString(36)}`;

/** Reads `since`: the position of an earlier result, or a time (then without a position in the feed). */
export const readSince = (since: string): Partial<ChangesPosition> => {
  const [, head, at] = /^(\d{1,15})\.([0-9a-z]{1,11})$/.exec(since) ?? [];
  if (head !== undefined && at !== undefined) {
    return { head: Number(head), atMs: Number.parseInt(at, 36) };
  }
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(atMs) || !timestamp.safeParse(new Date(atMs).toISOString()).success) {
    throw new AppError(
      'validation_failed',
      'since must be `next` of an earlier result, or a time like 2026-01-31T12:00:00.000Z.',
    );
  }
  return { atMs };
};

/** The cursor of a page after the first, with the position where the first one began. */
export const writeCursor = (position: ChangesPosition, cursor: string): string =>
  `${writePosition(position)}:${cursor}`;

/** Reads what `writeCursor` wrote. Any other text is a cursor without a position. */
export const readCursor = (
  given: string | undefined,
): { readonly position: ChangesPosition | null; readonly cursor: string | undefined } => {
  const [, head, at, cursor] = /^(\d{1,15})\.([0-9a-z]{1,11}):(.*)$/s.exec(given ?? '') ?? [];
  return head === undefined || at === undefined
    ? { position: null, cursor: given }
    : { position: { head: Number(head), atMs: Number.parseInt(at, 36) }, cursor };
};
