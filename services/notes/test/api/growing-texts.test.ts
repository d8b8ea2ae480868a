import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aNoteId } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { aTeam, createTwoForms, type Form, type Team, type TwoForms } from '../two-forms.ts';
import { undoToEnd } from '../undo-to-end.ts';

const dayMs = 86_400_000;
/** What day it is for both worlds. */
let today = 0;
let forms: TwoForms;

beforeAll(async () => {
  forms = await createTwoForms(() => new Date(Date.now() + today * dayMs));
});

afterAll(() => forms.close());

/** Characters of one to four bytes, which a cut in the wrong place would break. */
const piece = fc
  .array(fc.constantFrom('a', 'é', '漢', '😀', 'line\n', ' word '), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

const texts = {
  grow: (now: string, text: string) => `${now}${text}`,
  replace: (_: string, text: string) => text.repeat(400),
  small: (_: string, text: string) => text,
  begin: (now: string, text: string) => `${text}${now}`,
  shorten: (now: string) => now.slice(0, Math.floor(now.length / 2)).toWellFormed(),
  same: (now: string) => now,
} as const;
type Kind = keyof typeof texts;
const kind = fc.constantFrom<Kind>(
  'grow',
  'grow',
  'grow',
  'replace',
  'small',
  'begin',
  'shorten',
  'same',
);
const folder = fc.constantFrom('seen', 'seen', 'other');
const write = fc.record({ kind, text: piece, folder });
type Write = { readonly kind: Kind; readonly text: string; readonly folder: string };
const isByRun = fc.boolean();

type Step =
  | { readonly op: 'append' | 'propose'; readonly text: string; readonly isByRun: boolean }
  | { readonly op: 'put'; readonly write: Write; readonly isByRun: boolean }
  | { readonly op: 'batch'; readonly writes: Write[]; readonly isDeleted: boolean }
  | { readonly op: 'stale'; readonly back: number; readonly write: Write }
  | { readonly op: 'set'; readonly folder: string; readonly title: string }
  | { readonly op: 'restore'; readonly back: number }
  | { readonly op: 'wait'; readonly days: number }
  | { readonly op: 'delete' | 'purge' | 'prune' | 'undo' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constantFrom('append' as const, 'append' as const, 'propose' as const),
      text: piece,
      isByRun,
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('put' as const), write, isByRun }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('batch' as const),
      writes: fc.array(write, { minLength: 2, maxLength: 5 }),
      isDeleted: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('stale' as const), back: fc.nat(6), write }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      folder,
      title: piece,
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('restore' as const), back: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('wait' as const), days: fc.constantFrom(10, 100) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('delete' as const, 'purge' as const, 'prune' as const, 'undo' as const),
    }),
  },
);

type Place = { readonly form: Form; readonly team: Team; readonly id: string };
type Note = { readonly revision: number; readonly content: string; readonly title: string };

const noteAt = async ({ form, team, id }: Place): Promise<Note | null> => {
  const { status, body } = await form.world.as(team.agent).get(`/api/notes/${id}`);
  return status === 200 ? (body as Note) : null;
};

type Listed = { readonly revision: number; readonly deleted: boolean };

const historyAt = async ({ form, team, id }: Place): Promise<Listed[]> => {
  const { body } = await form.world.as(team.operator).get(`/api/notes/${id}/revisions?limit=200`);
  return (body as { items?: Listed[] }).items ?? [];
};

const edit = async (
  { form, id }: Place,
  { by, edits }: { readonly by: Team['agent']; readonly edits: object },
) =>
  form.world
    .as(by)
    .patch(`/api/notes/${id}`)
    .send({ edits: [edits] });

/** Several versions of one note in one transaction. */
const pushBatch = async (at: Place, { writes, isDeleted }: Extract<Step, { op: 'batch' }>) => {
  const now = await noteAt(at);
  let content = now?.content ?? '';
  const changes = writes.map(({ kind: how, text, ...fields }, index) => {
    content = texts[how](content, text);
    const baseRevision = now === null && index === 0 ? null : (now?.revision ?? 0) + index;
    return putOf({ content, ...fields, title: `${index}` }, { id: at.id, baseRevision });
  });
  const deletion = {
    mutationId: `${changes[0]?.mutationId}-d`,
    id: at.id,
    op: 'delete' as const,
    baseRevision: (now?.revision ?? 0) + 1,
  };
  const sent = isDeleted ? changes.toSpliced(1, 1, deletion as never) : changes;
  return syncClient(at.form.world, at.team.agent).push(...sent);
};

/** A client that has not seen the last versions. */
const pushStale = async (
  at: Place,
  { back, write: { kind: how, text } }: Extract<Step, { op: 'stale' }>,
) => {
  const base = (await historyAt(at))[back];
  if (!base || base.deleted) {
    return null;
  }
  const path = `/api/notes/${at.id}/revisions/${base.revision}`;
  const { body } = await at.form.world.as(at.team.agent).get(path).expect(200);
  const content = texts[how]((body as Note).content, text);
  const put = putOf(
    { content, folder: 'seen', title: 'stale' },
    { id: at.id, baseRevision: base.revision },
  );
  return syncClient(at.form.world, at.team.agent).push(put);
};

const proposeAndAccept = async (at: Place, text: string) => {
  const { form, team } = at;
  const sent = await edit(at, { by: team.proposer, edits: { op: 'append', text } });
  const proposal = (sent.body as { proposal?: { id: string } }).proposal?.id;
  const accepted =
    proposal &&
    (await form.world.as(team.operator).post(`/api/notes/proposals/${proposal}/accept`).send({}));
  return [sent.status, accepted && accepted.status];
};

const restore = async (at: Place, back: number) => {
  const revision = (await historyAt(at))[back]?.revision;
  const body = revision && back > 0 ? { revision } : {};
  return at.form.world.as(at.team.agent).post(`/api/notes/${at.id}/restore`).send(body);
};

/** Applies a step, which may be refused, as where a deleted note is edited; returns what says how it went. */
const apply = async (at: Place, each: Step): Promise<unknown> => {
  const { form, team, id } = at;
  switch (each.op) {
    case 'append': {
      const by = each.isByRun ? team.run : team.agent;
      return (await edit(at, { by, edits: { op: 'append', text: each.text } })).status;
    }
    case 'propose':
      return proposeAndAccept(at, each.text);
    case 'put': {
      const { kind: how, text, ...fields } = each.write;
      const content = texts[how]((await noteAt(at))?.content ?? '', text);
      const by = each.isByRun ? team.run : team.agent;
      return (
        await form.world
          .as(by)
          .put(`/api/notes/${id}`)
          .send({ content, ...fields })
      ).status;
    }
    case 'batch':
      return statusesOf(await pushBatch(at, each));
    case 'stale':
      return statusesOf(await pushStale(at, each));
    case 'set': {
      const edits = { op: 'set', folder: each.folder, title: each.title };
      return (await edit(at, { by: team.agent, edits })).status;
    }
    case 'restore':
      return (await restore(at, each.back)).status;
    case 'delete':
      return (await form.world.as(team.agent).delete(`/api/notes/${id}`)).status;
    case 'undo': {
      const undo = await undoToEnd(form.world.as(team.operator), { runId: team.run.runId });
      return [undo.status, undo.notes.map(({ outcome }) => outcome)];
    }
    case 'purge':
      return form.purge().then(() => null);
    case 'prune':
      return form.prune().then(() => null);
    case 'wait':
      return null;
  }
};

const statusesOf = (pushed: Awaited<ReturnType<typeof pushStale>>) =>
  pushed?.results.map(({ status, revision }) => [status, revision]);

/** Times, and the ids of what the service names, differ between two worlds. */
const plain = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      /(?:At|Id|^id|^at|instance|requestId|traceId)$/.test(key) ||
      key === 'undoes' ||
      key === 'acceptance'
        ? undefined
        : value,
    ),
  );

/** Everything that a company shows of its note, and of copies of it. */
const shown = async (at: Place) => {
  const { form, team, id } = at;
  const get = async (by: Team['agent'] | Team['operator'], path: string) => {
    const { status, body } = await form.world.as(by).get(path);
    return [path, status, plain(body)] as const;
  };
  const path = `/api/notes/${id}`;
  const revisions = (await historyAt(at)).map(({ revision }) => revision);
  const versions: Awaited<ReturnType<typeof get>>[][] = [];
  // Hundreds at once would wait for connections longer than they may, on a busy machine.
  for (const [index, revision] of revisions.entries()) {
    versions.push(
      await Promise.all([
        get(team.agent, `${path}/revisions/${revision}`),
        get(team.narrow, `${path}/revisions/${revision}`),
        get(team.agent, `${path}/diff?from=${revision}&to=${revisions[index - 1] ?? revision}`),
        get(team.narrow, `${path}/diff?from=${revisions.at(-1)}&to=${revision}`),
      ]),
    );
  }
  const pulled = await syncClient(form.world, team.agent, 'puller').pullAll();
  return {
    note: await get(team.agent, path),
    history: await get(team.agent, `${path}/revisions?limit=200`),
    blame: [await get(team.agent, `${path}/blame`), await get(team.narrow, `${path}/blame`)],
    versions,
    pulled: pulled.changes.map((change) => JSON.stringify(plain(change))).toSorted(),
    integrity: plain(pulled.integrity && { ...pulled.integrity, digest: null }),
  };
};

const withoutText = `select count(*)::integer as count from notes.note_revisions
  where company_id = $1 and content is null`;
const lost = `select v.note_id, v.revision from notes.note_revisions v
  join notes.notes n on n.company_id = v.company_id and n.id = v.note_id and n.revision = v.revision
  where v.company_id = $1 and v.content is null and n.texts_to is distinct from v.revision`;

const first: Write = { kind: 'replace', text: 'é漢 first\n', folder: 'seen' };
const append = { op: 'append', text: '😀\n', isByRun: false } as const;
const putAgain = { op: 'put', write: { ...first, text: 'other' }, isByRun: true } as const;
const restoreIt = { op: 'restore', back: 0 } as const;
/** Sequences that a few random ones may miss. */
const examples: [Step[]][] = [
  [[append, append, { op: 'delete' }, restoreIt, append, append]],
  [[{ op: 'delete' }, restoreIt, append, { op: 'wait', days: 100 }, putAgain, { op: 'prune' }]],
  [[append, { op: 'delete' }, { op: 'wait', days: 100 }, { op: 'purge' }, putAgain, append]],
  [[append, putAgain, append, { op: 'undo' }, append, { op: 'stale', back: 3, write: first }]],
];
const numRuns = Number(process.env['GROWING_TEXTS_RUNS'] ?? 16);

it(
  'every version is read, compared and merged as if it had its own text, after any steps',
  async () => {
    let shared = 0;
    const steps = fc.array(step, { minLength: 6, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        today = 0;
        const team = aTeam();
        const id = aNoteId();
        const places = [forms.shared, forms.whole].map((form) => ({ form, team, id }));
        for (const each of [{ op: 'put', write: first, isByRun: false } as const, ...all]) {
          today += each.op === 'wait' ? each.days : 0;
          const [one, other] = await Promise.all(places.map((at) => apply(at, each)));
          expect([each, one]).toEqual([each, other]);
        }
        const [one, other] = await Promise.all(places.map((at) => shown(at)));
        expect(one).toEqual(other);
        expect(await forms.shared.query(lost, [team.company])).toEqual([]);
        const [row] = await forms.shared.query<{ count: number }>(withoutText, [team.company]);
        const [none] = await forms.whole.query<{ count: number }>(withoutText, [team.company]);
        shared += row?.count ?? 0;
        expect(none?.count).toBe(0);
      }),
      { numRuns, examples },
    );
    expect(shared).toBeGreaterThan(numRuns);
  },
  60_000 + numRuns * 10_000,
);

it('the statements of docs/deployment.md give every version its own text before a rollback', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/deployment.md'), 'utf8');
  const [, statements = ''] =
    /```sql\n(begin;\ncreate temp table own_texts[^`]+)```/.exec(page) ?? [];
  await forms.shared.query(statements);
  const [left] = await forms.shared.query<{ count: number }>(
    `select count(*)::integer as count from notes.note_revisions v
     join notes.notes n on n.company_id = v.company_id and n.id = v.note_id
     where v.content is null or n.texts_from is not null or n.texts_to is not null`,
  );
  expect(left?.count).toBe(0);
  const [one, other] = await Promise.all(
    [forms.shared, forms.whole].map(({ query }) =>
      query<{ note_id: string }>(
        `select note_id, revision, content from notes.note_revisions order by note_id, revision`,
      ),
    ),
  );
  const known = new Set(other?.map(({ note_id: id }) => id));
  const both = one?.filter(({ note_id: id }) => known.has(id)) ?? [];
  const ids = new Set(both.map(({ note_id: id }) => id));
  expect(ids.size).toBeGreaterThanOrEqual(numRuns);
  expect(both).toEqual(other?.filter(({ note_id: id }) => ids.has(id)));
});
