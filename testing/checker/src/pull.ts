import { call, isUnavailable, syncResultOf, type Caller } from './api-call.ts';
import { createReplica, type Replica } from './replica.ts';
import type { CheckedCompany } from './environment.ts';
import type { History } from './history.ts';
import { verifyCursor } from './verify-cursor.ts';

/** A client that only pulls. */
export type Puller = {
  readonly actor: string;
  readonly caller: Caller;
  readonly replica: Replica;
  readonly history: History;
  readonly limit: number;
  cursor: string | null;
};

type PullerOptions = Pick<Puller, 'actor' | 'history' | 'limit'> & {
  readonly company: CheckedCompany;
};

/** Creates a client with an empty replica. */
export const createPuller = ({ actor, company, history, limit }: PullerOptions): Puller => ({
  actor,
  caller: company,
  replica: createReplica(actor, company.companyId, history),
  history,
  limit,
  cursor: null,
});

/** Pulls one page; true if it was the last. On failure the cursor stays where it is. */
export const pullPage = async (puller: Puller): Promise<boolean> => {
  const { actor, caller, replica, history, limit, cursor } = puller;
  const response = await call(caller, {
    method: 'POST',
    path: '/api/sync',
    body: { cursor, limit },
  });
  if (isUnavailable(response)) {
    return false;
  }
  if (response.status === 410 && cursor !== null) {
    history.count('full pulls after 410');
    puller.cursor = null;
    replica.clear();
    return false;
  }
  if (response.status !== 200) {
    history.violate(
      'a pull succeeds',
      `${actor}: ${response.status} ${JSON.stringify(response.body)}`,
    );
    return false;
  }
  const { changes, cursor: next, hasMore, integrity } = syncResultOf(response);
  history.count('pages pulled');
  changes.forEach(replica.take);
  verifyCursor({ actor, before: cursor, after: next }, history);
  puller.cursor = next;
  if (!hasMore) {
    await replica.compare(integrity);
  }
  return !hasMore;
};

/** Pulls up to and including the last page. */
export const pullAll = async (puller: Puller): Promise<void> => {
  for (let isLast = false; !isLast;) {
    isLast = await pullPage(puller);
  }
};
