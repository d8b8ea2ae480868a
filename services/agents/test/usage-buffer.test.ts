import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, keyId, newId } from '@commonplace/contracts/core';
import { createDb, type Db } from '@commonplace/db';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { createUsageBuffer } from '../src/commands/usage-buffer.ts';
import type { CredentialUse } from '../src/queries/keys.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb({ url: database.appUrl('agents'), isCitus: true, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const useIn = (company: CredentialUse['companyId']): CredentialUse => ({
  id: keyId.parse(newId()),
  companyId: company,
  at: new Date(),
});

describe('on Citus, the uses of credentials', () => {
  it('are written by company, so that one whose node is lost keeps no locks in others', async () => {
    const [lost, other] = [companyId.parse(newId()), companyId.parse(newId())];
    const uses = [useIn(lost), useIn(other), useIn(other)];
    const written: (readonly CredentialUse[])[] = [];
    const buffer = createUsageBuffer(db, async (tx, some) => {
      if (some.some((use) => use.companyId === lost)) {
        throw new Error('its node is lost');
      }
      await tx.query('select 1');
      written.push(some);
    });
    uses.forEach(buffer.record);
    await expect(buffer.flush()).rejects.toThrow('its node is lost');
    expect(written).toEqual([uses.slice(1)]);
  });

  it('are left to the next flush after three failures, so that no flush waits for every company of a lost node', async () => {
    const uses = Array.from({ length: 5 }, () => useIn(companyId.parse(newId())));
    let isLost = true;
    const tried: (readonly CredentialUse[])[] = [];
    const buffer = createUsageBuffer(db, async (tx, some) => {
      tried.push(some);
      await tx.query('select 1');
      if (isLost) {
        throw new Error('its node is lost');
      }
    });
    uses.forEach(buffer.record);
    await expect(buffer.flush()).rejects.toThrow('its node is lost');
    expect(tried).toHaveLength(3);
    isLost = false;
    await buffer.flush();
    expect(tried.slice(3)).toEqual(uses.slice(3).map((use) => [use]));
  });
});
