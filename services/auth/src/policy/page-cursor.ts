import { AppError, sessionId } from '@commonplace/contracts';

/** Writes where a page ended, opaque to clients. */
export const encodeCursor = (position: string): string =>
  Buffer.from(position).toString('base64url');

/** Reads a position back; what cannot be one is 400. */
export const decodeCursor = (cursor: string | undefined): string | null => {
  if (cursor === undefined) {
    return null;
  }
  const position = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encodeCursor(position) !== cursor || position.includes('\u0000')) {
    throw refused();
  }
  return position;
};

/** Reads back a position that is an id. */
export const decodeIdCursor = (cursor: string | undefined): string | null => {
  const position = decodeCursor(cursor);
  if (position !== null && !sessionId.safeParse(position).success) {
    throw refused();
  }
  return position;
};

/** Cuts a page out of rows of which one more was read than fits. */
export const pageOfRows = <Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string,
): { rows: readonly Row[]; nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null,
  };
};

const refused = () =>
  new AppError('validation_failed', 'The query is not valid.', {
    errors: [{ path: '/cursor', message: 'is not a cursor of this list' }],
  });
