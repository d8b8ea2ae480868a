import { AppError, timestamp } from '@commonplace/contracts/core';

/** Where a list of changes ended: the position in the feed, and the time of the newest change. */
export type ChangesPosition = { readonly head: number; readonly atMs: number };

/** Clocks of processes, and writes in flight, differ by less. Change numbers decide; the time bounds the work. */
export const lateMs = 60_000;

/** As text: short, because a model copies it. */
export const writePosition = ({ head, atMs }: ChangesPosition): string =>
  `${head}.${atMs.toString(36)}`;

/** Reads `since`: the position of an earlier result, or a time (then without a position in the feed). */
export const readSince = (since: string): Partial<ChangesPosition> => {
  const [, head, at] = /^(\d{1,15})\.([0-9a-z]{1,11})$/.exec(since) ?? [];
  const position = positionOf(head, at);
  if (position) {
    return position;
  }
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(since) ? Date.parse(since) : Number.NaN;
  if (!isTime(atMs)) {
    throw new AppError(
      'validation_failed',
      'since must be `next` of an earlier result, or a time like 2026-01-31T12:00:00.000Z.',
    );
  }
  return { atMs };
};

/** A position as it was written; null: no position. */
const positionOf = (head: string | undefined, at: string | undefined): ChangesPosition | null => {
  const atMs = Number.parseInt(at ?? '', 36);
  return head !== undefined && isTime(atMs) ? { head: Number(head), atMs } : null;
};

/** Eleven digits of base 36 are more than any time that the API can write. */
const isTime = (atMs: number): boolean =>
  Math.abs(atMs) <= timeMax && timestamp.safeParse(new Date(atMs).toISOString()).success;

/** The last time of a `Date`, in milliseconds. */
const timeMax = 8.64e15;

/** Where a list of several pages begins and ends: what changes while it is read is on none of its pages. */
export type ListedRange = {
  /** As the caller gave it; null: from the beginning. */
  readonly since: string | null;
  readonly end: ChangesPosition;
};

/** The cursor of a page after the first. A time has colons, so it is written in base 64. */
export const writeCursor = ({ since, end }: ListedRange, cursor: string): string =>
  [writePosition(end), Buffer.from(since ?? '').toString('base64url'), cursor].join(':');

/** Reads what `writeCursor` wrote. Any other text is a cursor without a range, which the route rejects. */
export const readCursor = (
  given: string | undefined,
): { readonly range: ListedRange | null; readonly cursor: string | undefined } => {
  const parts = /^(\d{1,15})\.([0-9a-z]{1,11}):([\w-]{0,100}):(.*)$/s.exec(given ?? '');
  const end = positionOf(parts?.[1], parts?.[2]);
  if (!parts || !end) {
    return { range: null, cursor: given };
  }
  const since = Buffer.from(parts[3] ?? '', 'base64url').toString();
  return { range: { since: since === '' ? null : since, end }, cursor: parts[4] };
};
