import { runGlobal, type Db } from '@commonplace/db';
import type { KeyUsageBuffer } from '../deps.ts';
import { recordKeyUses, type KeyUse } from '../queries/keys.ts';

/** The precision of `lastUsedAt`. */
const everySeconds = 60;

/**
 * Buffers key usage, so that no request waits for a write: each key is written at most once a
 * minute. Uses that a killed process had buffered are lost; the next use of the key writes again.
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
      removeOld(writtenAtMs, uses);
      uses.forEach((use) => writtenAtMs.set(use.keyId, use.at.getTime()));
    },
  };
};

/** Removes entries older than a minute, which no longer suppress writes. */
const removeOld = (writtenAtMs: Map<string, number>, uses: readonly KeyUse[]): void => {
  const newestMs = uses.reduce((newest, use) => Math.max(newest, use.at.getTime()), 0);
  for (const [keyId, atMs] of writtenAtMs) {
    if (newestMs - atMs >= everySeconds * 1000) {
      writtenAtMs.delete(keyId);
    }
  }
};
