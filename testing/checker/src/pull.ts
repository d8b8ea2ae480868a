import { call, isAway, syncResultOf, type Caller } from './call.ts';
import type { Copy } from './copy.ts';
import type { History } from './history.ts';
import { judgeCursor } from './judge-cursor.ts';

/** Somebody who only pulls. */
export type Puller = {
  readonly who: string;
  readonly caller: Caller;
  readonly copy: Copy;
  readonly history: History;
  readonly limit: number;
  cursor: string | null;
};

/** Pulls one page; true when it was the last. What could not be pulled is left for the next time. */
export const pullPage = async (puller: Puller): Promise<boolean> => {
  const { who, caller, copy, history, limit, cursor } = puller;
  const answer = await call(caller, { method: 'POST', path: '/api/sync', body: { cursor, limit } });
  if (isAway(answer)) {
    return false;
  }
  if (answer.status === 410 && cursor !== null) {
    history.count('pulls afresh after 410');
    puller.cursor = null;
    copy.clear();
    return false;
  }
  if (answer.status !== 200) {
    history.violate(
      'a pull is answered',
      `${who}: ${answer.status} ${JSON.stringify(answer.body)}`,
    );
    return false;
  }
  const { changes, cursor: next, hasMore, integrity } = syncResultOf(answer);
  history.count('pages pulled');
  changes.forEach(copy.take);
  judgeCursor({ who, before: cursor, after: next }, history);
  puller.cursor = next;
  if (!hasMore) {
    await copy.compare(integrity);
  }
  return !hasMore;
};

/** Pulls until a page was the last. */
export const pullAll = async (puller: Puller): Promise<void> => {
  for (let isLast = false; !isLast;) {
    isLast = await pullPage(puller);
  }
};
