import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withCompanyInIndexOrder } from '@commonplace/db';
import type { Deps } from '../../src/deps.ts';
import { listNotesToIndex } from '../../src/queries/search-index.ts';
import { createPendingIndexer } from '../../src/search/index-pending-notes.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

describe('searching', () => {
  it('sees everything written before it, on every instance, also edits and deletions', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const path = `/api/notes/${id}`;
    const search = async (q: string, instance: number) => {
      const { body } = await world.as(agent, instance).get(`/api/notes?q=${q}`).expect(200);
      return body.items.length as number;
    };
    await world.as(agent).put(path).send({ content: 'zebra' }).expect(201);
    expect([await search('zebra', 1), await search('okapi', 0)]).toEqual([1, 0]);
    await world.as(agent, 1).put(path).send({ content: 'okapi' }).expect(200);
    expect([await search('zebra', 0), await search('okapi', 1)]).toEqual([0, 1]);
    await world.as(agent).delete(path).expect(204);
    expect(await search('okapi', 1)).toBe(0);
  });

  it('catches up with more than one chunk, and with several searches at once', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    for (let batch = 0; batch < 3; batch += 1) {
      const changes = Array.from({ length: 400 }, (_, index) => putOf({ title: `n${index} gnu` }));
      await client.push(...changes);
    }
    const searches = [0, 1, 0, 1].map(async (instance) => {
      const { body } = await world.as(agent, instance).get('/api/notes?q=gnu&limit=200');
      return body.items.length as number;
    });
    expect(await Promise.all(searches)).toEqual([200, 200, 200, 200]);
  });

  it('ends beside writers that never pause: what is written meanwhile may wait', async () => {
    const agent = anAgent();
    const { db, search } = world.deps[0] as Deps;
    const write = () => world.as(agent, 1).put(`/api/notes/${aNoteId()}`).send({ content: 'emu' });
    await write().expect(201);
    let parts = 0;
    const index = createPendingIndexer({
      db,
      buildDocuments: async (companyId, notes) => {
        parts += 1;
        await write().expect(201);
        return search.buildDocuments(companyId, notes);
      },
    });
    await index(agent.companyId);
    expect(parts).toBeLessThanOrEqual(1);
  });

  it('catches up with large notes in batches of bounded bytes, and finds the words of all', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const content = `quagga\n${'.'.repeat(300_000)}`;
    const changes = Array.from({ length: 9 }, (_, index) => putOf({ title: `n${index}`, content }));
    await client.push(...changes);
    const { db } = world.deps[0] as Deps;
    const partOf = (after: number, bytesMax: number) =>
      withCompanyInIndexOrder(db, agent.companyId, (tx) =>
        listNotesToIndex(tx, { after, upTo: null, limit: 500, bytesMax }),
      );
    expect(await partOf(0, 1_000_000)).toHaveLength(3);
    expect(await partOf(3, 1)).toHaveLength(1);
    expect(await partOf(8, 1_000_000)).toHaveLength(1);
    const { body } = await world.as(agent).get('/api/notes?q=quagga').expect(200);
    expect(body.items).toHaveLength(9);
  });

  it('indexes the longest texts, whatever they are made of', async () => {
    const agent = anAgent();
    const fill = (wordAt: (word: string) => string) => {
      let text = 'narwhal ';
      for (let index = 0; text.length < 261_000; index += 1) {
        text += `${wordAt(index.toString(36))} `;
      }
      return text;
    };
    const texts = [fill((word) => `a${word}-b${word}`), fill((word) => `a${word}.co/${word}`)];
    texts.push(`narwhal ${'𐐀𐐁 '.repeat(50_000)}`, 'narwhal '.repeat(60_000));
    for (const content of texts) {
      await world.as(agent).put(`/api/notes/${aNoteId()}`).send({ content }).expect(201);
    }
    const { body } = await world.as(agent).get('/api/notes?q=narwhal').expect(200);
    expect(body.items).toHaveLength(texts.length);
  });
});
