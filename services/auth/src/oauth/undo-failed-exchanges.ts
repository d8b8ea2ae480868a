import { write } from '@commonplace/db';
import type { Provider } from 'oidc-provider';
import { undoConsumption } from '../queries/oauth-records.ts';
import type { AdapterDeps, Exchange } from './adapter-deps.ts';

/**
 * Undoes the use of the code or refresh token of every request that fails after it, for whatever reason: the client has
 * got nothing for it, and will try again.
 */
export const undoFailedExchanges = (
  provider: Provider,
  { db }: Pick<AdapterDeps, 'db'>,
  exchangeOf: (ctx: object) => Exchange,
): void => {
  provider.use(async (ctx, next) => {
    await next();
    const { source } = exchangeOf(ctx);
    if (source && ctx.status >= 400) {
      await write(db, 'global', (tx) => undoConsumption(tx, source)).catch((error: unknown) => {
        provider.emit('server_error', ctx, error);
      });
    }
  });
};
