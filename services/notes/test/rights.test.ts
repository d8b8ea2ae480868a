import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { undoId, type CompanyId } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import pg from 'pg';
import { termPrefix } from '../src/search/text/search-document.ts';
import { runUndo } from '../src/undo/run-undo.ts';
import { completeCatalog } from '../src/catalog/catch-up-catalog.ts';
import { claimUndo } from './claim-undo.ts';
import { aCompany, anAgent, aNoteId, createNotesWorld, type NotesWorld } from './notes-world.ts';
import { putOf, syncClient } from './sync-client.ts';

const companies: readonly [CompanyId, CompanyId] = [aCompany(), aCompany()];
const tenantTables = [
  'company_feed',
  'notes',
  'note_revisions',
  'note_search',
  'search_progress',
  'search_words',
  'mutations',
  'catalog_progress',
  'catalog_entries',
  'departures',
  'former_titles',
  'label_counts',
  'note_links',
  'undos',
  'undo_notes',
  'proposals',
];

let world: NotesWorld;
let service: pg.Client;
let admin: pg.Client;
beforeAll(async () => {
  world = await createNotesWorld();
  service = new pg.Client({ connectionString: world.database.appUrl('notes') });
  admin = new pg.Client({ connectionString: world.database.adminUrl });
  await Promise.all([service.connect(), admin.connect()]);
  for (const company of companies) {
    const renamed = putOf({ title: 'alpha', content: '[[beta]]', tags: ['t'] });
    await syncClient(world, anAgent(company)).push(renamed, putOf({ title: 'beta' }));
    for (const title of ['gamma', 'alpha']) {
      const edits = [{ op: 'set', title }];
      await world.as(anAgent(company)).patch(`/api/notes/${renamed.id}`).send({ edits });
    }
    const moved = [{ op: 'set', folder: 'moved' }];
    await world.as(anAgent(company)).patch(`/api/notes/${renamed.id}`).send({ edits: moved });
    await undoDry(company);
    await proposeNote(company);
    await Promise.all(world.deps.map(({ search }) => search.indexPendingNotes(company)));
    await Promise.all(world.deps.map(({ db }) => completeCatalog(db, company)));
  }
});
afterAll(async () => {
  await Promise.all([service.end(), admin.end()]);
  await world.close();
});

const proposeNote = (company: CompanyId) => {
  const grants = [{ folder: '', scope: 'any', mode: 'propose' }] as const;
  return world
    .as({ ...anAgent(company), grants })
    .post('/api/notes')
    .send({ title: 'proposed' })
    .expect(202);
};

/** A dry run of an undo of everything. */
const undoDry = async (company: CompanyId) => {
  const author = anAgent(company);
  await syncClient(world, author).push(putOf({ title: 'undone' }));
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  const request = { keyId: author.keyId, dryRun: true };
  const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(202);
  const id = undoId.parse((body as { id: string }).id);
  for (const deps of world.deps) {
    await runUndo(deps, await claimUndo(deps, { companyId: company, id }));
  }
};

/** Runs SQL as the service's own role, in the scope of a company or of none. */
const asService = async (company: CompanyId | null, statement: string) => {
  await service.query('begin');
  try {
    // Citus passes on only this form to its workers.
    await service.query(`set local app.company_id = '${company ?? ''}'`);
    return (await service.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await service.query('rollback');
  }
};
const asAdmin = async (statement: string) =>
  (await admin.query<Record<string, unknown>>(statement)).rows;

describe('row-level security', () => {
  it.each(tenantTables)('shows a query of %s without any where one company only', async (table) => {
    for (const company of companies) {
      const rows = await asService(company, `select company_id from notes.${table}`);
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map((row) => row['company_id']))).toEqual(new Set([company]));
    }
  });

  it.each(tenantTables)('shows no row of %s when no company is set', async (table) => {
    expect(await asService(null, `select company_id from notes.${table}`)).toEqual([]);
  });

  it('prevents writes for another company', async () => {
    const [one, two] = companies;
    const insert = `insert into notes.company_feed (company_id, epoch) values ('${aCompany()}', '${two}')`;
    await expect(asService(one, insert)).rejects.toThrow('row-level security');
    const update = `update notes.notes set title = 'mine' where company_id = '${two}' returning 1`;
    expect(await asService(one, update)).toEqual([]);
  });

  it('is on for every table that has a company, except the global lookups', async () => {
    const open = await asAdmin(
      `select c.relname from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
       where c.relnamespace = 'notes'::regnamespace and c.relkind = 'r' and not c.relrowsecurity
       order by 1`,
    );
    expect(open.map((row) => row['relname'])).toEqual(['job_queue', 'note_owner']);
  });
});

describe('the service', () => {
  it('cannot list the owners of notes, only look up the owner of a known id', async () => {
    const [one, two] = companies;
    await expect(asService(one, 'select * from notes.note_owner')).rejects.toThrow(
      'permission denied',
    );
    const [theirs] = await asService(two, 'select id from notes.notes limit 1');
    const findOwner = (id: string) => asService(one, `select notes.owner_of('${id}') as owner`);
    expect(await findOwner(String(theirs?.['id']))).toEqual([{ owner: two }]);
    expect(await findOwner(aNoteId())).toEqual([{ owner: null }]);
  });

  it('claims no id of another company, and its own again', async () => {
    const [one, two] = companies;
    const [theirs] = await asService(two, 'select id from notes.notes limit 1');
    const id = String(theirs?.['id']);
    const claim = (ids: readonly string[]) =>
      `select notes.claim(array['${ids.join("', '")}']::uuid[]) as count`;
    expect(await asService(one, claim([id]))).toEqual([{ count: 0 }]);
    expect(await asService(one, claim([aNoteId(), id, aNoteId()]))).toEqual([{ count: 2 }]);
    expect(await asService(two, claim([id, aNoteId()]))).toEqual([{ count: 2 }]);
    expect(await asService(one, `select notes.owner_of('${id}') as owner`)).toEqual([
      { owner: two },
    ]);
  });

  it('finds no note of another company by full text', async () => {
    const [one, two] = companies;
    const terms = companies.map((company) => `'${termPrefix(company)}alpha'`).join(' | ');
    const search = `select notes.match_notes($$${terms}$$::tsquery, 10)`;
    const [mine, theirs] = [await asService(one, search), await asService(two, search)];
    expect([mine.length, theirs.length]).toEqual([1, 1]);
    expect(mine).not.toEqual(theirs);
    expect(await asService(null, search)).toEqual([]);
  });
});

describe('the migrations', () => {
  it('put company_id into every key of a tenant table, as a distributed PostgreSQL requires', async () => {
    const without = await asAdmin(
      `select con.conrelid::regclass::text as "table", con.conname
       from pg_constraint con
       join pg_class c on c.oid = con.conrelid
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
       where c.relnamespace = 'notes'::regnamespace and c.relrowsecurity
         and con.contype in ('p', 'u', 'f') and not a.attnum = any (con.conkey)`,
    );
    expect(without).toEqual([]);
  });

  it('make no trigger and no unlogged table, which one could not keep', async () => {
    const triggers = await asAdmin(
      `select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'notes'::regnamespace and not tgisinternal`,
    );
    const unlogged = await asAdmin(
      `select relname from pg_class
       where relnamespace = 'notes'::regnamespace and relpersistence <> 'p'`,
    );
    expect([triggers, unlogged]).toEqual([[], []]);
  });

  it('fix the search path of every function with the rights of its owner, and close all to others', async () => {
    const functions = await asAdmin(
      `select proname, proconfig, prosecdef,
         has_function_privilege('agents_app', oid, 'execute') as "isOpenToAgents",
         has_function_privilege('notes_app', oid, 'execute') as "isOpenToNotes"
       from pg_proc where pronamespace = 'notes'::regnamespace order by proname`,
    );
    expect(functions.length).toBeGreaterThan(0);
    for (const { proconfig, prosecdef, isOpenToAgents, isOpenToNotes } of functions) {
      expect([isOpenToAgents, isOpenToNotes]).toEqual([false, true]);
      // Others of its settings are hints for the planner.
      expect(prosecdef ? proconfig : ['search_path=""']).toContain('search_path=""');
    }
  });
});
