import type { History } from './history.ts';

/** One pull: the cursor sent and the cursor received. */
type Step = { readonly actor: string; readonly before: string | null; readonly after: string };

/**
 * Verifies that cursors never go back. Cursors are opaque to clients. The checker decodes them, because
 * repeated notes would show the same only after a long history.
 */
export const verifyCursor = ({ actor, before, after }: Step, history: History): void => {
  const from = before === null ? null : positionIn(before);
  const to = positionIn(after);
  if (from && from.epoch === to.epoch && to.changeNo < from.changeNo) {
    history.violate('cursors never go back', `${actor}: ${to.changeNo} after ${from.changeNo}`);
  }
};

type Position = { readonly epoch: string; readonly changeNo: number };

const positionIn = (cursor: string): Position =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position;
