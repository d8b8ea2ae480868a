import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createDb, write, type Db } from '@commonplace/db';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { leaseEmbeddings, releaseEmbeddings } from '../src/queries/embeddings.ts';

const company = companyId.parse(newId());
const profile = 'model 3';
const startMs = Date.parse('2026-11-29T12:00:00.123Z');
const after = (minutes: number): Date => new Date(startMs + minutes * 60_000);
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const { isCitus } = database;
  db = createDb({ url: database.appUrl('notes'), isCitus, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const lease = (from: number, to: number) =>
  write(db, company, (tx) => leaseEmbeddings(tx, { profile, now: after(from), until: after(to) }));
const release = (to: number, now: number) =>
  write(db, company, (tx) => releaseEmbeddings(tx, { until: after(to), now: after(now) }));

describe("the lease of a company's embeddings", () => {
  it('is given back by the process that has it, and by no other after it ran out', async () => {
    expect(await lease(0, 5)).toMatchObject({ changeNo: 0 });
    expect(await lease(6, 11)).toMatchObject({ changeNo: 0 });
    await release(5, 7);
    expect(await lease(8, 13)).toBeNull();
    await release(11, 8);
    expect(await lease(8, 13)).toMatchObject({ changeNo: 0 });
  });
});
