import { connectAdmin } from '../connect-admin.ts';
import { migrateAll } from '../migrate-all.ts';
import type { MigrateOptions } from '../migrate-all.ts';
import { assertNoConnections } from './assert-no-connections.ts';
import { inOneTransaction } from './in-one-transaction.ts';
import { rememberRevisions } from './raise-revisions.ts';
import { rotateFeedEpochs } from './rotate-feed-epochs.ts';

/**
 * Completes a restore by other means, such as pg_restore or a copy of the disk: sets roles and passwords, runs
 * migrations, and sets new epochs, without which clients would miss changes.
 */
export const finalizeRestore = async (options: MigrateOptions): Promise<void> => {
  const client = await connectAdmin(options.adminUrl);
  try {
    await assertNoConnections(client);
    await migrateAll(options);
    // Migrations take their time, in which one may have started.
    await assertNoConnections(client);
    await inOneTransaction(client, async () => {
      await rememberRevisions(client);
      await rotateFeedEpochs(client);
    });
  } finally {
    await client.end();
  }
};
