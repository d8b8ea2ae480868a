import { write, type Db, type GlobalTx } from '@commonplace/db';
import type { UsageBuffer } from '../deps.ts';
import type { CredentialUse } from '../queries/keys.ts';

/** The precision of `lastUsedAt`. */
const everySeconds = 60;

/** After so many failures the other uses are left to the next flush: each may have waited for a node that is gone. */
const failuresMax = 3;

type WriteUses = (
  tx: GlobalTx,
  uses: readonly CredentialUse[],
  everySeconds: number,
) => Promise<void>;

/**
 * Buffers the use of keys or connections, so that no request waits for a write: each is written at most once a
 * minute. Uses that a killed process had buffered are lost; the next use of the credential writes again.
 */
export const createUsageBuffer = (db: Db, writeUses: WriteUses): UsageBuffer => {
  const pending = new Map<string, CredentialUse>();
  const writtenAtMs = new Map<string, number>();
  return {
    record: (use) => {
      const lastMs = writtenAtMs.get(use.id);
      if (lastMs === undefined || use.at.getTime() - lastMs >= everySeconds * 1000) {
        pending.set(use.id, use);
      }
    },
    flush: async () => {
      const uses = [...pending.values()];
      if (uses.length === 0) {
        return;
      }
      pending.clear();
      const errors: unknown[] = [];
      for (const together of inTransactions(db, uses)) {
        if (errors.length === failuresMax) {
          together.forEach((use) => pending.set(use.id, pending.get(use.id) ?? use));
          continue;
        }
        await write(db, 'global', (tx) => writeUses(tx, together, everySeconds)).then(
          () => together.forEach((use) => writtenAtMs.set(use.id, use.at.getTime())),
          (error: unknown) => void errors.push(error),
        );
      }
      removeOld(writtenAtMs, uses);
      if (errors.length > 0) {
        throw errors[0];
      }
    },
  };
};

/**
 * The uses of each transaction: all together, or on Citus those of one company. There a transaction that waits for one node
 * would keep the locks of credentials on the others.
 */
const inTransactions = ({ isCitus }: Db, uses: readonly CredentialUse[]): CredentialUse[][] =>
  isCitus ? [...Map.groupBy(uses, ({ companyId }) => companyId).values()] : [[...uses]];

/** Removes entries older than a minute, which no longer suppress writes. */
const removeOld = (writtenAtMs: Map<string, number>, uses: readonly CredentialUse[]): void => {
  const newestMs = uses.reduce((newest, use) => Math.max(newest, use.at.getTime()), 0);
  for (const [id, atMs] of writtenAtMs) {
    if (newestMs - atMs >= everySeconds * 1000) {
      writtenAtMs.delete(id);
    }
  }
};
