import type { History } from './history.ts';

/** A step of somebody who pulls: the cursor that was sent, and the one that came back. */
type Step = { readonly who: string; readonly before: string | null; readonly after: string };

/**
 * Cursors never go back. Clients must take them as they are; the checker knows what is in one, because
 * it would take a long history to see the same by the notes that come twice.
 */
export const judgeCursor = ({ who, before, after }: Step, history: History): void => {
  const from = before === null ? null : positionIn(before);
  const to = positionIn(after);
  if (from && from.epoch === to.epoch && to.changeNo < from.changeNo) {
    history.violate('cursors never go back', `${who}: ${to.changeNo} after ${from.changeNo}`);
  }
};

type Position = { readonly epoch: string; readonly changeNo: number };

const positionIn = (cursor: string): Position =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position;
