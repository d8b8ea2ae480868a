import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createDb, write, type Db } from '@commonplace/db';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import {
  advanceEmbeddings,
  leaseEmbeddings,
  releaseEmbeddings,
} from '../src/queries/embeddings.ts';
import { embedPart, SupersededError } from '../src/search/embeddings/embed-company.ts';
import { updateSearchSettings } from '../src/queries/search-settings.ts';

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
  write(db, company, (tx) =>
    leaseEmbeddings(tx, { profile, startedAt: after(0), now: after(from), until: after(to) }),
  );
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

describe('two processes with different models', () => {
  const home = companyId.parse(newId());
  const older = { profile: 'older', startedAt: after(0) };
  const newer = { profile: 'newer', startedAt: after(1) };
  let minute = 10;
  /** Takes the lease, is done up to a change, and gives it back; null: it is not given. */
  const work = async (of: typeof older, changeNo: number) => {
    minute += 1;
    const [now, until] = [after(minute), after(minute + 5)];
    const got = await write(db, home, (tx) => leaseEmbeddings(tx, { ...of, now, until }));
    if (got !== null) {
      const { profile: own } = of;
      await write(db, home, (tx) =>
        advanceEmbeddings(tx, { profile: own, from: got.changeNo, to: changeNo }),
      );
      await write(db, home, (tx) => releaseEmbeddings(tx, { until, now }));
    }
    return got?.changeNo ?? null;
  };

  it('the one that started later makes the vectors, and the other one does not undo that', async () => {
    expect(await work(older, 7)).toBe(0);
    expect(await work(older, 8)).toBe(7);
    expect(await work(newer, 5)).toBe(0);
    expect(await work(older, 9)).toBeNull();
    expect(await work(newer, 9)).toBe(5);
  });

  it('the other one says why, and goes on once it is started again', async () => {
    await write(db, home, (tx) =>
      updateSearchSettings(tx, { embeddings: true, at: after(minute) }),
    );
    const clock = () => after(minute + 1);
    const embed = () => Promise.reject(new Error('Nothing is sent'));
    const stopping = new AbortController().signal;
    const superseded = embedPart({ db, clock, embed, stopping, ...older }, home);
    await expect(superseded).rejects.toThrow(SupersededError);
    await expect(superseded).rejects.toThrow(/\(newer\) than this one \(older\)/);
    expect(await work({ ...older, startedAt: after(2) }, 3)).toBe(0);
    expect(await work(newer, 3)).toBeNull();
  });
});
