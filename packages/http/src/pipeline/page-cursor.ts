import { createHash } from 'node:crypto';
import { AppError } from '@commonplace/contracts/core';
import { z } from 'zod';

/** The query of a list; every parameter but `limit` and `cursor` is a filter. */
type PageQuery = Readonly<Record<string, unknown>> & {
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const envelope = z.strictObject({ of: z.string(), after: z.unknown() });

/**
 * Creates the opaque cursors of one list: base64url JSON of the position of the last row, and a digest of the list
 * and its filters, so that a cursor of another list or other filters is rejected (400). It needs no signature,
 * because it only says where to continue in what the caller may read.
 *
 * `position` is the schema of the columns the list is ordered by.
 */
export const pageCursor = <Position extends z.ZodType>(list: string, position: Position) => {
  const read = (query: PageQuery): z.output<Position> | null => {
    if (query.cursor === undefined) {
      return null;
    }
    const { of, after } = envelope.safeParse(decode(query.cursor)).data ?? {};
    const parsed = position.safeParse(after);
    if (!parsed.success || of !== bindingOf(list, query)) {
      throw new AppError('validation_failed', 'The query is not valid.', {
        errors: [{ path: '/cursor', message: 'is not a cursor of this list with these filters' }],
      });
    }
    return parsed.data;
  };

  /** The cursor of what comes after a position. */
  const write = (query: PageQuery, after: z.input<Position>): string =>
    encode({ of: bindingOf(list, query), after });

  /** Returns a page from rows that were read with a limit one above the requested one. */
  const page = <Row>(
    query: PageQuery,
    rows: readonly Row[],
    positionOf: (row: Row) => z.input<Position>,
  ): { items: Row[]; nextCursor: string | null } => {
    const items = rows.slice(0, query.limit);
    const last = items.at(-1);
    const isLastPage = rows.length <= query.limit || last === undefined;
    return { items, nextCursor: isLastPage ? null : write(query, positionOf(last)) };
  };

  return { read, write, page };
};

const bindingOf = (list: string, query: PageQuery): string => {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([list, filters]))
    .digest('base64url')
    .slice(0, 12);
};

const encode = (content: unknown): string =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

const decode = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
};
