import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mergeText, tooCostly } from '@commonplace/merge';
import { createEditThread } from '../../src/create-edit-thread.ts';
import { createHeavyWorkLimiter } from '../../src/limits/heavy-work-limiter.ts';
import { newMergeBudget, type Merger } from '../../src/merge/create-merger.ts';
import { mergeRest, withContent, type Sides } from '../../src/merge/merge-note.ts';
import type { SubmittedChange, WriteRequest } from '../../src/write/change.ts';
import { createNoteWriter } from '../../src/write/note-writer.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { nextMutation } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

type Agent = ReturnType<typeof anAgent>;
const author = { kind: 'agent', id: aNoteId() } as const;

const putOf = (id: string, content: string, baseRevision: number | null = 1): SubmittedChange => ({
  rule: 'unparsed_put',
  id: id as ReturnType<typeof aNoteId>,
  note: { content },
  baseRevision,
  onConflict: 'merge',
  mutation: { caller: 'agent:1', clientId: 'test', mutationId: nextMutation() },
});
const requestOf = (...changes: SubmittedChange[]): WriteRequest => ({
  author,
  changes,
  mergeBudget: newMergeBudget(),
});

/** Another process: a writer in which every merge of texts is costly, and `beside` happens while the thread merges. */
const writerBeside = (beside: (sides: Sides) => Promise<unknown>) => {
  const [deps] = world.deps;
  if (!deps) {
    throw new Error('A world has one instance at least');
  }
  const merger: Merger = {
    mergeNow: () => tooCostly,
    merge: async (sides, { msLeft }) => {
      if (msLeft <= 0) {
        return null;
      }
      await beside(sides);
      const rest = mergeRest(sides);
      const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((s) => s.content);
      return rest && withContent(rest, mergeText(base ?? '', ours ?? '', theirs ?? ''));
    },
  };
  const now = <Result>(_bytes: number, work: () => Promise<Result>) => work();
  return createNoteWriter({
    ...deps,
    merger,
    editThread: createEditThread({ onError: () => undefined, idleMs: 10 }),
    reserveEditBytes: now,
    reserveMergeBytes: now,
    limitCostlyWork: createHeavyWorkLimiter({ runningMax: 1, waitingMax: 50 }),
    sharesTexts: async () => ({ isRepeatedShared: true, isGrowingShared: true }),
    onCommit: () => undefined,
  });
};

const put = (agent: Agent, id: string, content: string) =>
  world.as(agent).put(`/api/notes/${id}`).send({ content });
const contentOf = async (agent: Agent, id: string): Promise<string> =>
  (await world.as(agent).get(`/api/notes/${id}`).expect(200)).body.content;
const aNoteChanged = async (agent: Agent): Promise<string> => {
  const id = aNoteId();
  await put(agent, id, 'top\n-\nmiddle\n-\nbottom\n').expect(201);
  await put(agent, id, 'top\n-\nmiddle 0\n-\nbottom\n').expect(200);
  return id;
};

it('a note that changes while the thread merges it is merged again, and no lock is held meanwhile', async () => {
  const agent = anAgent();
  const id = await aNoteChanged(agent);
  let merges = 0;
  const write = writerBeside(async () => {
    merges += 1;
    if (merges <= 3) {
      await put(agent, id, `top\n-\nmiddle ${merges}\n-\nbottom\n`).expect(200);
    }
  });
  const request = requestOf(
    putOf(aNoteId(), 'before', null),
    putOf(id, 'top\n-\nmiddle\n-\nBOTTOM\n'),
  );
  const { outcomes } = await write(agent.companyId, request);
  expect(outcomes.map(({ status, revision }) => [status, revision])).toEqual([
    ['applied', 1],
    ['merged', 6],
  ]);
  expect(merges).toBe(4);
  expect(await contentOf(agent, id)).toBe('top\n-\nmiddle 3\n-\nBOTTOM\n');
  const again = await write(agent.companyId, request);
  expect(again.outcomes.map(({ isReplay, revision }) => [isReplay, revision])).toEqual([
    [true, 1],
    [true, 6],
  ]);
  expect(merges).toBe(4);
});

it('others of its batch and of its company are written while it waits for the thread', async () => {
  const agent = anAgent();
  const ids = [await aNoteChanged(agent), await aNoteChanged(agent)];
  const written: string[] = [];
  let others: Promise<unknown> = Promise.resolve();
  const beside: Promise<unknown>[] = [];
  const writeBeside = (name: string) =>
    beside.push(write(agent.companyId, requestOf(putOf(aNoteId(), name, null))));
  const write = writerBeside(async () => {
    await others;
    if (beside.length === 0) {
      await Promise.all(
        ids.map((id) => put(agent, id, 'top\n-\nmiddle 1\n-\nbottom\n').expect(200)),
      );
      // The request joins the second one in a batch, and is found costly there in its middle.
      writeBeside('beside 1');
      writeBeside('beside 2');
    }
  });
  const costly = ids.map(async (id, index) => {
    const first = putOf(aNoteId(), `first ${index}`, null);
    const { outcomes } = await write(
      agent.companyId,
      requestOf(first, putOf(id, 'top\n-\nmiddle\n-\nBOTTOM\n')),
    );
    written.push('costly');
    return outcomes.map(({ status }) => status);
  });
  others = Promise.all(
    [0, 1, 2].map(async (index) => {
      await write(agent.companyId, requestOf(putOf(aNoteId(), `other ${index}`, null)));
      written.push('other');
    }),
  );
  expect(await Promise.all(costly)).toEqual(ids.map(() => ['applied', 'merged']));
  expect(written).toEqual(['other', 'other', 'other', 'costly', 'costly']);
  await Promise.all(beside);
  const { body } = await world.as(agent).get('/api/notes?limit=200').expect(200);
  // Two merged notes, one before each of them, three others, and two beside the first merge: each of them once.
  expect(body.items).toHaveLength(2 + 2 + 3 + 2);
});

it('later changes of the same note follow the merge in one attempt', async () => {
  const agent = anAgent();
  const id = await aNoteChanged(agent);
  let merges = 0;
  const write = writerBeside(async () => {
    merges += 1;
  });
  const texts = ['top\n-\nmiddle\n-\nB\n', 'TOP\n-\nmiddle\n-\nB\n', 'TOP\n-\nmiddle\n-\nB\nend\n'];
  const { outcomes } = await write(
    agent.companyId,
    requestOf(...texts.map((content) => putOf(id, content))),
  );
  expect(outcomes.map(({ status, revision }) => [status, revision])).toEqual([
    ['merged', 3],
    ['merged', 4],
    ['merged', 5],
  ]);
  expect(merges).toBe(3);
  expect(await contentOf(agent, id)).toBe('TOP\n-\nmiddle 0\n-\nB\nend\n');
});

it('a note that others change faster than it can be merged keeps both sides', async () => {
  const agent = anAgent();
  const id = await aNoteChanged(agent);
  let merges = 0;
  const write = writerBeside(async () => {
    merges += 1;
    await put(agent, id, `top\n-\nmiddle ${merges}\n-\nbottom\n`).expect(200);
  });
  const { outcomes } = await write(
    agent.companyId,
    requestOf(putOf(id, 'top\n-\nmiddle\n-\nMINE\n')),
  );
  expect(outcomes).toMatchObject([{ status: 'conflict' }]);
  expect(merges).toBeLessThanOrEqual(20);
  expect(await contentOf(agent, id)).toBe(`top\n-\nmiddle ${merges}\n-\nbottom\n`);
  const copy = outcomes[0]?.conflictNoteId ?? '';
  expect(await contentOf(agent, copy)).toBe('top\n-\nmiddle\n-\nMINE\n');
});
