import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { callTool, startMcpService, type McpService } from '../mcp/mcp-client.ts';
import { syncClient, type SyncClient } from '../sync-client.ts';
import {
  activeNotes,
  countNames,
  leaksIn,
  markerOf,
  now,
  seeded,
  visibleNotes,
  visibleRevisions,
  type ModelNote,
  type ModelVersion,
} from './grants-model.ts';

const folders = ['', 'a', 'a/b', 'a/b/c', 'ab', 'x', 'x/a'] as const;
const grantOf = (folder: string, scope: NoteGrant['scope'] = 'any'): NoteGrant => ({
  folder,
  scope,
  mode: 'direct',
});

/** Readers whose folders miss, touch and cover those of the notes. */
const readers: readonly (readonly [string, NoteGrant[], 'agent' | 'viewer'])[] = [
  ['a folder with its subfolders', [grantOf('a')], 'agent'],
  ['a subfolder', [grantOf('a/b', 'read')], 'agent'],
  ['notes without a folder, and one folder', [grantOf('/'), grantOf('x/a')], 'agent'],
  ['two folders', [grantOf('ab', 'read'), grantOf('x')], 'agent'],
  ['a folder without notes', [grantOf('none')], 'agent'],
  ['nothing', [], 'agent'],
  ['a folder with its subfolders, as a viewer', [grantOf('a', 'read')], 'viewer'],
  ['nothing, as a viewer', [], 'viewer'],
];

const callerWith = (grants: NoteGrant[], kind: 'agent' | 'viewer'): Reader['caller'] =>
  kind === 'agent'
    ? { ...anAgent(writer.companyId), grants }
    : operatorCaller({ companies: [grant(writer.companyId, 'viewer', { grants })] });

type Reader = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly grants: readonly NoteGrant[];
  readonly client: SyncClient;
  /** The notes that its client holds, by revision. */
  readonly held: Map<string, number>;
  cursor: string | null;
};

let world: NotesWorld;
let service: McpService;
let writer: AgentCaller;
const model = new Map<string, ModelNote>();
const random = seeded(7);

/** Each reader has a company: with the notes of those before it, its reads would grow with every test. */
beforeEach(() => {
  writer = anAgent(aCompany());
  model.clear();
});

beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
  service = await startMcpService(world.app());
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

/** A new version: mostly with text of its own, sometimes moved as it is. Long texts are stored once. */
const nextVersion = (
  id: string,
  before: ModelVersion | undefined,
  revision: number,
): ModelVersion => {
  const isKept = before !== undefined && random(3) === 0;
  const marker = markerOf(id, revision);
  const link = `[[T${random(8)}]]`;
  return {
    title: `T${random(8)}`,
    folder: pick(folders),
    tags: isKept ? before.tags : ['common', marker],
    content: isKept ? before.content : `${marker} shared words ${link}\n${'filler '.repeat(200)}`,
    pinned: random(5) === 0,
    deleted: false,
  };
};

/** One change by a writer of all folders: mostly a new version, sometimes a deletion or an old version again. */
const change = async (): Promise<void> => {
  const isNew = model.size < 12 || random(6) === 0;
  const note: ModelNote = isNew ? { id: aNoteId(), versions: [] } : pick([...model.values()]);
  const { id, versions } = note;
  const last = versions.at(-1);
  const call = world.as(writer, random(2));
  const kind = last === undefined ? 9 : random(10);
  if (kind === 0 && last && !last.deleted) {
    await call.delete(`/api/notes/${id}`).expect(204);
    versions.push({ ...last, deleted: true });
  } else if (kind === 1 && versions.length > 2) {
    const revision = 1 + random(versions.length - 1);
    const old = versions[revision - 1] as ModelVersion;
    if (!old.deleted && last && (last.deleted || !isSame(old, last))) {
      await call.post(`/api/notes/${id}/restore`).send({ revision }).expect(200);
      versions.push(old);
    }
  } else {
    const version = nextVersion(id, last, versions.length + 1);
    const { deleted: _, ...fields } = version;
    if (!last || last.deleted || !isSame(version, last)) {
      await call.put(`/api/notes/${id}`).send(fields);
      versions.push(version);
    }
  }
  model.set(id, note);
};

const isSame = (one: ModelVersion, other: ModelVersion): boolean =>
  JSON.stringify({ ...one, tags: [...one.tags].toSorted() }) ===
  JSON.stringify({ ...other, tags: [...other.tags].toSorted() });

type Body = Record<string, unknown> & { readonly items: Record<string, unknown>[] };

/** Reads, and checks that nothing of what is hidden is in the response, whatever it is. */
const get = async (reader: Reader, path: string, status?: number): Promise<Body> => {
  const response = await world.as(reader.caller, random(2)).get(path);
  expect(leaksIn(response.text + JSON.stringify(response.headers), model, reader.grants)).toEqual(
    [],
  );
  if (status !== undefined) {
    expect([path, response.status]).toEqual([path, status]);
  }
  return response.body as Body;
};

const getAll = async (reader: Reader, path: string): Promise<Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  do {
    const joint = path.includes('?') ? '&' : '?';
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(reader, `${path}${joint}limit=7${next}`, 200);
    items.push(...page.items);
    cursor = (page['nextCursor'] as string | null) ?? '';
  } while (cursor !== '');
  return items;
};

const idsOf = (notes: readonly { readonly id?: unknown }[]): string[] =>
  notes.map(({ id }) => String(id)).toSorted();

const checkLists = async (reader: Reader): Promise<void> => {
  const active = activeNotes(model, reader.grants);
  expect(idsOf(await getAll(reader, '/api/notes'))).toEqual(idsOf(active));
  expect(idsOf(await getAll(reader, '/api/notes?deleted=include&sort=title&view=full'))).toEqual(
    idsOf(visibleNotes(model, reader.grants)),
  );
  for (const match of ['words', 'prefix', 'best']) {
    const found = await getAll(reader, `/api/notes?q=shared&match=${match}`);
    expect(idsOf(found)).toEqual(idsOf(active));
  }
  expect(idsOf(await getAll(reader, '/api/notes?tag=common'))).toEqual(idsOf(active));
  const listed = await getAll(reader, '/api/notes/folders');
  expect(listed.map(({ folder, notes }) => [folder, notes])).toEqual(
    countNames(active.map((note) => now(note).folder)),
  );
  const tags = await getAll(reader, '/api/notes/tags');
  expect(tags.map(({ tag, notes }) => [tag, notes])).toEqual(
    countNames(active.flatMap((note) => now(note).tags)),
  );
  const ids = [...model.keys()].slice(0, 100);
  const { body } = await world.as(reader.caller).post('/api/notes/read').send({ ids }).expect(200);
  const read = body as { notes: { id: string }[]; omitted: { id: string }[] };
  expect(leaksIn(JSON.stringify(body), model, reader.grants)).toEqual([]);
  expect(idsOf([...read.notes, ...read.omitted])).toEqual(
    idsOf(active.filter(({ id }) => ids.includes(id))),
  );
};

const today = (): string => new Date().toISOString().slice(0, 10);
/** A day may end while the tests run. */
const firstDay = today();

const checkHistory = async (reader: Reader): Promise<void> => {
  const visible = visibleNotes(model, reader.grants);
  const versions = visible.flatMap((note) =>
    visibleRevisions(note, reader.grants).map((revision) => `${note.id} ${revision}`),
  );
  const activity = await getAll(reader, '/api/notes/activity');
  expect(
    activity.map(({ noteId, revision }) => `${String(noteId)} ${String(revision)}`).toSorted(),
  ).toEqual(versions.toSorted());
  const { items } = await get(
    reader,
    `/api/notes/activity/days?from=${firstDay}&to=${today()}`,
    200,
  );
  expect(items.reduce((sum, { changes }) => sum + Number(changes), 0)).toBe(versions.length);
};

const checkNote = async (reader: Reader, note: ModelNote): Promise<void> => {
  const { id, versions } = note;
  const isVisible = visibleNotes(model, reader.grants).includes(note);
  const status = isVisible ? (now(note).deleted ? 404 : 200) : 403;
  const body = await get(reader, `/api/notes/${id}`, status);
  const code = isVisible ? 'note_deleted' : 'folder_not_granted';
  expect(status === 200 ? body['content'] : body['code']).toBe(
    status === 200 ? now(note).content : code,
  );
  const seen = visibleRevisions(note, reader.grants);
  for (const revision of versions.map((_version, index) => index + 1)) {
    const isShown = isVisible && seen.includes(revision);
    const path = `/api/notes/${id}/revisions/${revision}`;
    const version = await get(reader, path, isVisible ? (isShown ? 200 : 404) : 403);
    const expected = versions[revision - 1];
    if (isShown && expected && !expected.deleted) {
      expect(version['content']).toBe(expected.content);
    }
  }
  if (isVisible) {
    const listed = await getAll(reader, `/api/notes/${id}/revisions`);
    expect(listed.map(({ revision }) => revision)).toEqual(seen.toReversed());
  }
  for (const path of ['links', 'conflicts', 'blame', `diff?from=1&to=${versions.length}`]) {
    await get(reader, `/api/notes/${id}/${path}`, isVisible ? undefined : 403);
  }
};

const checkPaths = async (reader: Reader): Promise<void> => {
  const isIn = (folder: string, title: string) => (note: ModelNote) =>
    now(note).folder === folder && now(note).title === title;
  for (const folder of [...folders, 'none', 'missing']) {
    const title = `T${random(8)}`;
    const path = `/api/notes/by-path?folder=${encodeURIComponent(folder)}&title=${title}`;
    const { code } = await get(reader, path);
    const isGranted = visibleNotes(
      new Map([['', { id: '', versions: [{ folder } as ModelVersion] }]]),
      reader.grants,
    ).length;
    const found = activeNotes(model, reader.grants).filter(isIn(folder, title)).length;
    const expected = found === 0 ? 'not_found' : found === 1 ? undefined : 'ambiguous';
    expect([folder, code]).toEqual([folder, isGranted ? expected : 'folder_not_granted']);
    const { items } = await get(reader, `/api/notes/by-title?title=${title}`, 200);
    expect(idsOf(items)).toEqual(
      idsOf(activeNotes(model, reader.grants).filter((note) => now(note).title === title)),
    );
  }
};

/** Pulls with the cursor of before: what left the folders of the reader is gone from its client. */
const checkSync = async (reader: Reader): Promise<void> => {
  for (let hasMore = true; hasMore;) {
    const page = await reader.client.sync({ cursor: reader.cursor, limit: 5 });
    expect(leaksIn(JSON.stringify(page), model, reader.grants)).toEqual([]);
    expect(page.integrity).toBeUndefined();
    for (const { id, revision, deletedAt } of page.changes) {
      if (deletedAt === null) {
        reader.held.set(id, revision);
      } else {
        reader.held.delete(id);
      }
    }
    ({ cursor: reader.cursor, hasMore } = page);
  }
  const expected = activeNotes(model, reader.grants).map(
    (note) => [note.id, note.versions.length] as const,
  );
  expect([...reader.held].toSorted()).toEqual(expected.toSorted());
  const full = await reader.client.pullAll(null, 100);
  expect(idsOf(full.changes)).toEqual(idsOf(activeNotes(model, reader.grants)));
};

const checkTools = async (reader: Reader): Promise<void> => {
  const client = await service.connect(reader.caller);
  const some = pick([...model.values()]);
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['get_context', { query: 'shared words' }],
    ['search_notes', { query: 'shared' }],
    ['list_notes', {}],
    ['recent_changes', { diff: true, includeSelf: true }],
    ['read_note', { id: some.id }],
    ['read_note', { title: now(some).title }],
    ['note_history', { id: some.id }],
    ['note_history', { id: some.id, view: 'diff' }],
    ['note_history', { id: some.id, view: 'blame' }],
    ['whoami', {}],
  ];
  for (const [name, args] of calls) {
    const result = await callTool(client, name, args);
    expect([name, leaksIn(JSON.stringify(result), model, reader.grants)]).toEqual([name, []]);
  }
  await client.close();
};

const checkContext = async (reader: Reader): Promise<void> => {
  const { body, text } = await world
    .as(reader.caller)
    .post('/api/context')
    .send({ query: 'shared words', maxBytes: 262_144 })
    .expect(200);
  expect(leaksIn(text, model, reader.grants)).toEqual([]);
  const { notes, omitted } = body as { notes: { id: string }[]; omitted: { id: string }[] };
  const active = idsOf(activeNotes(model, reader.grants));
  expect(active).toEqual(expect.arrayContaining(idsOf([...notes, ...omitted])));
};

describe('a credential with grants', () => {
  it.each(readers)(
    'that reaches %s sees what a model says, and never a byte from outside',
    async (_name, grants, kind) => {
      const caller = callerWith(grants, kind);
      const client = syncClient(world, caller);
      const reader: Reader = { caller, grants, client, held: new Map(), cursor: null };
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 12; count += 1) {
          await change();
        }
        await checkSync(reader);
        await checkLists(reader);
        await checkHistory(reader);
        await checkPaths(reader);
        await checkContext(reader);
        for (const note of model.values()) {
          await checkNote(reader, note);
        }
      }
      await checkTools(reader);
      expect(activeNotes(model, grants).length).toBeLessThan(activeNotes(model, null).length);
    },
    120_000,
  );
});
