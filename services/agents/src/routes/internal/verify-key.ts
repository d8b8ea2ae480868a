import { verifyKeyContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { replaceKeyDigest, verifyKey } from '../../queries/key-digests.ts';

export const verifyKeyRoute = ({ db, clock, keyUsage }: Pick<Deps, 'db' | 'clock' | 'keyUsage'>) =>
  defineRoute(verifyKeyContract, async ({ body: { digests } }) => {
    const now = clock();
    const found = await runGlobal(db, (tx) => verifyKey(tx, digests, now));
    if (!found) {
      return reply(200, { key: null });
    }
    const { digest, expiresAt, ...key } = found;
    keyUsage.record({ keyId: key.keyId, companyId: key.companyId, at: now });
    const [current] = digests;
    if (current !== undefined && current !== digest) {
      await runGlobal(db, (tx) => replaceKeyDigest(tx, digest, current));
    }
    return reply(200, { key: { ...key, expiresAt: expiresAt?.toISOString() ?? null } });
  });
