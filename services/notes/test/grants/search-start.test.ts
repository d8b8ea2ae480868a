import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countAwaitedLocks, until } from '@commonplace/testkit';
import type { NoteGrant } from '@commonplace/contracts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { lockIndex, lockRows, releaseRows } from '../lock-rows.ts';
import { putOf, syncClient } from '../sync-client.ts';

const grants: readonly NoteGrant[] = [{ folder: 'a', scope: 'read', mode: 'direct' }];
const company = aCompany();
const connectionsMax = 10;

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
  // Enough for a sample at each end.
  await push(2_300, 'tide and ferry');
  await world.deps[0]?.search.indexPendingNotes(company);
  await search('tide');
}, 120_000);
afterAll(() => world.close());

const push = async (count: number, content: string): Promise<void> => {
  const client = syncClient(world, anAgent(company));
  const notes = Array.from({ length: count }, () => putOf({ title: 'Day', content, folder: 'a' }));
  for (let at = 0; at < count; at += 500) {
    await client.push(...notes.slice(at, at + 500));
  }
};

const api = () => world.as({ ...anAgent(company), grants });
const search = (q: string) =>
  api().get(`/api/notes?q=${encodeURIComponent(q)}&match=best&explain=true`);

it('the first search after writes ranks as the next one does', async () => {
  await push(200, 'tide and standup');
  const first = await search('tide standup').expect(200);
  const second = await search('tide standup').expect(200);
  expect(first.body).toEqual(second.body);
  expect(first.headers['etag']).toBe(second.headers['etag']);
});

it('a search that is repeated is 304, and one after a write is not', async () => {
  const { headers } = await search('ferry').expect(200);
  const again = () => search('ferry').set('If-None-Match', String(headers['etag']));
  await again().expect(304);
  await push(1, 'ferry');
  await again().expect(200);
});

it('a page that waited for the index is one of before the wait: a note written meanwhile is a change', async () => {
  const holder = await lockIndex(world, company);
  await push(1, 'isle');
  const searching = search('isle').then((response) => response);
  await until(async () => (await waitingFor(lockedRow)) > 0);
  await push(1, 'isle');
  await releaseRows(holder);
  const { body, headers } = await searching;
  expect([body.items.length, body.isComplete]).toEqual([1, true]);
  const next = await search('isle').set('If-None-Match', String(headers['etag'])).expect(200);
  expect(next.body.items).toHaveLength(2);
});

it('searches that wait leave connections to other companies', async () => {
  const holder = await lockRows(world, 'lock table notes.note_search in access exclusive mode', []);
  const searches = Array.from({ length: connectionsMax + 5 }, (_, index) =>
    search(`tide${index}`).then(({ status }) => status),
  );
  try {
    await until(async () => (await waitingForIt()) > 0);
    await world.as(anAgent()).get('/api/notes?limit=1').expect(200);
    expect(await waitingForIt()).toBeLessThan(connectionsMax / 2);
  } finally {
    await releaseRows(holder);
  }
  expect(new Set(await Promise.all(searches))).toEqual(new Set([200]));
});

/** Also of a shard of the table. */
const waitingForIt = () => waitingFor("relation::regclass::text like 'notes.note_search%'");

/** A session waits for the transaction that has locked the row. */
const lockedRow = "locktype = 'transactionid'";

const waitingFor = async (condition: string): Promise<number> => {
  const admin = await lockRows(world, 'select', []);
  const count = await countAwaitedLocks(admin, condition);
  await releaseRows(admin);
  return count;
};
