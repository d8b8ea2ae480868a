import { write } from '@commonplace/db';
import { undoConsumption } from '../queries/oauth-records.ts';
import type { AdapterDeps } from './adapter-deps.ts';

/** Undoes the use of the request's code or refresh token: the client has got nothing for it yet, and will try again. */
export const undoExchange = async ({
  db,
  exchange,
}: Pick<AdapterDeps, 'db' | 'exchange'>): Promise<void> => {
  const { source } = exchange();
  if (source) {
    await write(db, 'global', (tx) => undoConsumption(tx, source));
  }
};
