import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inIndexOrder, write } from '@commonplace/db';
import { until } from '@commonplace/testkit';
import type { Deps } from '../../src/deps.ts';
import { listNotesToIndex } from '../../src/queries/search-index.ts';
import { createPendingIndexer } from '../../src/search/index-pending-notes.ts';
import type { IndexFailure } from '../../src/search/store-part.ts';
import { createDocumentThread } from '../../src/search/text/document-thread.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { lockIndex, releaseRows } from '../lock-rows.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const unexpected = ({ error }: IndexFailure) => {
  throw error;
};

type Agent = ReturnType<typeof anAgent>;

const searchFor = (agent: Agent, q: string, instance = 0) => {
  const path = `/api/notes?limit=200&q=${encodeURIComponent(q)}`;
  return world.as(agent, instance).get(path).expect(200);
};

const titlesFor = async (agent: Agent, q: string): Promise<string[]> => {
  const { body } = await searchFor(agent, q);
  return (body.items as { title: string }[]).map(({ title }) => title).toSorted();
};

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
      const { body } = await searchFor(agent, 'gnu', instance);
      return body.items.length as number;
    });
    expect(await Promise.all(searches)).toEqual([200, 200, 200, 200]);
  });

  it('responds after its wait with what is indexed, says so, and keeps no slot of its company meanwhile', async () => {
    const searchWaitMs = 2_000;
    const hasty = await createNotesWorld({ searchWaitMs });
    const agent = anAgent();
    const put = (title: string) =>
      hasty.as(agent).put(`/api/notes/${aNoteId()}`).send({ title, content: 'dodo' }).expect(201);
    const search = (known = '') =>
      hasty.as(agent).get('/api/notes?q=dodo').set('If-None-Match', known);
    await put('indexed');
    await hasty.deps[0]?.search.indexPendingNotes(agent.companyId);
    const holder = await lockIndex(hasty, agent.companyId);
    await put('pending');
    const responded: string[] = [];
    const respond = async <Response>(name: string, request: PromiseLike<Response>) => {
      const response = await request;
      responded.push(name);
      return response;
    };
    const [late, context, all] = await Promise.all([
      respond('search', search()),
      respond('context', hasty.as(agent).post('/api/context').send({ query: 'dodo' })),
      respond('list', hasty.as(agent).get('/api/notes?view=full')),
    ]);
    expect([responded[0], all.body.items]).toMatchObject(['list', [{}, {}]]);
    expect(late.body).toMatchObject({ items: [{ title: 'indexed' }], isComplete: false });
    expect(context.body).toMatchObject({ notes: [{ title: 'indexed' }], isComplete: false });
    // If each of them waited again, they would take longer than the test may.
    for (let again = 0; again < 40; again += 1) {
      expect((await search()).body).toMatchObject({ items: [{}], isComplete: false });
    }
    await releaseRows(holder);
    await until(async () => (await search()).body.isComplete as boolean);
    const whole = await search(late.headers['etag']).expect(200);
    expect(whole.body).toMatchObject({ items: [{}, {}], isComplete: true });
    await search(whole.headers['etag']).expect(304);
    await hasty.close();
  });

  it('ends beside writers that never pause: what is written meanwhile may wait', async () => {
    const agent = anAgent();
    const { db, search } = world.deps[0] as Deps;
    const write = () => world.as(agent, 1).put(`/api/notes/${aNoteId()}`).send({ content: 'emu' });
    await write().expect(201);
    let parts = 0;
    const index = createPendingIndexer({
      db,
      onFailure: unexpected,
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
      write(db, inIndexOrder(agent.companyId), (tx) =>
        listNotesToIndex(tx, {
          after,
          upTo: null,
          limit: 500,
          bytesMax,
          withUnchanged: false,
        }),
      );
    expect(await partOf(0, 1_000_000)).toHaveLength(3);
    expect(await partOf(3, 1)).toHaveLength(1);
    expect(await partOf(8, 1_000_000)).toHaveLength(1);
    const { body } = await searchFor(agent, 'quagga');
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
    const { body } = await searchFor(agent, 'narwhal');
    expect(body.items).toHaveLength(texts.length);
  });
});

describe('a note that is hard to index', () => {
  it('is found, and keeps no other from being found, though its letters grow when they are folded', async () => {
    const agent = anAgent();
    const letters = '\ufdfa'.repeat(64);
    const client = syncClient(world, agent);
    await client.push(
      putOf({ title: 'hard', content: `${letters} ibex`, tags: [letters] }),
      putOf({ title: letters, content: 'ibex' }),
      putOf({ title: 'other', content: 'ibex' }),
    );
    expect(await titlesFor(agent, 'ibex')).toEqual(['hard', 'other', letters].toSorted());
    expect(await titlesFor(agent, letters)).toEqual(['hard', letters]);
    expect(await titlesFor(agent, letters.slice(0, 3))).toEqual([]);
    await world.as(agent).post('/api/context').send({ query: letters }).expect(200);
  });

  it('is found by its title, named once, and no reason that others are not found, if it cannot be stored', async () => {
    const agent = anAgent();
    const { db, search } = world.deps[0] as Deps;
    const failures: IndexFailure[] = [];
    const index = createPendingIndexer({
      db,
      onFailure: (failure) => failures.push(failure),
      buildDocuments: async (companyId, notes) => {
        const documents = await search.buildDocuments(companyId, notes);
        return documents.map((document, at) =>
          notes[at]?.content === 'poison'
            ? { ...document, document: `'${'x'.repeat(3_000)}'` }
            : document,
        );
      },
    });
    const poison = putOf({ title: 'capybara', content: 'poison' });
    await syncClient(world, agent).push(
      putOf({ title: 'first', content: 'tapir' }),
      poison,
      putOf({ title: 'last', content: 'tapir' }),
    );
    await index(agent.companyId);
    expect(failures.map(({ noteId }) => noteId)).toEqual([poison.id]);
    expect(await titlesFor(agent, 'tapir')).toEqual(['first', 'last']);
    expect(await titlesFor(agent, 'capybara')).toEqual(['capybara']);
    await world.as(agent).delete(`/api/notes/${poison.id}`).expect(204);
    await index(agent.companyId);
    expect(failures).toHaveLength(1);
  });
});

describe('indexing', () => {
  it('leaves a text alone that did not change: flags, properties and deletions cost nothing', async () => {
    const agent = anAgent();
    const { db, search } = world.deps[0] as Deps;
    const built: string[] = [];
    const index = createPendingIndexer({
      db,
      onFailure: unexpected,
      buildDocuments: (companyId, notes) => {
        built.push(...notes.map(({ title }) => title));
        return search.buildDocuments(companyId, notes);
      },
    });
    const note = { title: 'n', content: 'gecko', tags: ['a'], folder: 'f' };
    const path = `/api/notes/${aNoteId()}`;
    const put = async (change: object) => {
      await world
        .as(agent)
        .put(path)
        .send({ ...note, ...change });
      await index(agent.companyId);
    };
    await put({});
    await put({ pinned: true });
    await put({ archived: true, properties: { key: 1 } });
    expect(built).toEqual(['n']);
    await put({ tags: ['b'] });
    await put({ folder: 'g' });
    await put({ content: 'skink' });
    expect(built).toHaveLength(4);
    await world.as(agent).delete(path).expect(204);
    await index(agent.companyId);
    expect(built).toHaveLength(4);
    expect([await titlesFor(agent, 'gecko'), await titlesFor(agent, 'skink')]).toEqual([[], []]);
  });

  it('forgets the words that no note has any more: they neither correct nor complete', async () => {
    const agent = anAgent();
    const path = `/api/notes/${aNoteId()}`;
    const write = (content: string) => world.as(agent).put(path).send({ title: 'n', content });
    await write('the wombta sleeps');
    expect(await titlesFor(agent, 'wombta')).toEqual(['n']);
    await write('the wombat sleeps');
    expect(await titlesFor(agent, 'wombat')).toEqual(['n']);
    expect(await titlesFor(agent, 'wombta')).toEqual(['n']);
    await write(`the wombat ${Array.from({ length: 300 }, (_, index) => `za${index}`).join(' ')}`);
    expect(await titlesFor(agent, 'za7')).toEqual(['n']);
    await write('the wombat zzz');
    const { body } = await world.as(agent).get('/api/notes?q=z&match=prefix').expect(200);
    expect(body.items).toHaveLength(1);
  });

  it('works at the notes of all companies by short slices, so that a short one waits for no long one', async () => {
    const buildDocuments = createDocumentThread(unexpectedError);
    const long = Array.from({ length: 60_000 }, (_, index) => `w${index.toString(36)}q`).join(' ');
    const ended: string[] = [];
    const build = async (name: string, content: string) => {
      await buildDocuments(anAgent().companyId, [{ title: name, content, folder: '', tags: [] }]);
      ended.push(name);
    };
    await build('warm', '');
    await Promise.all([build('long', long), build('short', 'gnu'), build('shorter', '')]);
    // Which of the short ones is first depends on the machine.
    expect([ended.slice(1, 3).toSorted(), ended.at(-1)]).toEqual([['short', 'shorter'], 'long']);
  });
});

const unexpectedError = (error: unknown) => {
  throw error;
};
