import { runGlobal, type Db } from '@commonplace/db';
import type { KeyUsageBuffer } from '../deps.ts';
import { recordKeyUses, type KeyUse } from '../queries/keys.ts';

/** How exact `lastUsedAt` is. */
const everySeconds = 60;

/**
 * Collects when keys are used, so that a request costs no write: every key is written once a minute
 * at most. What a killed process had not written is written again at the key's next use.
 */
export const createKeyUsageBuffer = (db: Db): KeyUsageBuffer => {
  const pending = new Map<string, KeyUse>();
  const writtenAtMs = new Map<string, number>();
  return {
    record: (use) => {
      const lastMs = writtenAtMs.get(use.keyId);
      if (lastMs === undefined || use.at.getTime() - lastMs >= everySeconds * 1000) {
        pending.set(use.keyId, use);
      }
    },
    flush: async () => {
      const uses = [...pending.values()];
      if (uses.length === 0) {
        return;
      }
      pending.clear();
      await runGlobal(db, (tx) => recordKeyUses(tx, uses, everySeconds));
      forgetOld(writtenAtMs, uses);
      uses.forEach((use) => writtenAtMs.set(use.keyId, use.at.getTime()));
    },
  };
};

/** What is older than a minute decides nothing any more. */
const forgetOld = (writtenAtMs: Map<string, number>, uses: readonly KeyUse[]): void => {
  const newestMs = uses.reduce((newest, use) => Math.max(newest, use.at.getTime()), 0);
  for (const [keyId, atMs] of writtenAtMs) {
    if (newestMs - atMs >= everySeconds * 1000) {
      writtenAtMs.delete(keyId);
    }
  }
};
