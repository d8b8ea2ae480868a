import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { hasTable } from './has-table.ts';

/** Revisions are 32-bit integers in the database. */
const revisionMax = 2 ** 31 - 1;
/** How many more revisions a note can have after a restore. */
const headroom = 2 ** 26;
/** Separates restores within one second, and after a clock was set back: 16 million starts. */
const jitterMax = 2 ** 24;
const epochMs = Date.UTC(2020, 0, 1);

/** Where the revisions of restored notes start: seconds since 2020 plus a random number. */
const revisionStart = (nowMs = Date.now()): number =>
  Math.floor((nowMs - epochMs) / 1_000) + randomInt(jitterMax);

/**
 * Remembers the newest revision of every note of the database that a restore is about to replace, for
 * `raiseRevisions`. Does nothing where there are no notes yet. On Citus as a superuser, whose connections to the nodes
 * also drop the tables.
 */
export const rememberRevisions = async (
  client: Pick<Client, 'query'>,
  { isCitus = false }: { readonly isCitus?: boolean } = {},
): Promise<void> => {
  for (const statement of makeTables) {
    await client.query(statement);
  }
  if (!(await hasTable(client, 'notes.notes'))) {
    return;
  }
  const hasPurged = await hasTable(client, 'notes.purged_notes');
  if (!isCitus) {
    await client.query('set local role notes_owner');
  }
  await client.query(
    'insert into pg_temp.replaced_revisions select company_id, id, revision from notes.notes',
  );
  if (hasPurged) {
    await client.query(
      'insert into pg_temp.replaced_revisions select company_id, note_id, revision from notes.purged_notes',
    );
  }
  await client.query('reset role');
};

/** The owner of the notes fills them, who may not be allowed to make temporary tables. */
const makeTables = [
  `create temporary table replaced_revisions (company_id uuid, note_id uuid, revision integer)
   on commit drop`,
  `create temporary table revision_shifts (company_id uuid, note_id uuid, shift integer)
   on commit drop`,
  `create temporary table shifted_undos (
     company_id uuid, undo_id uuid, note_id uuid, shift integer, undoes integer[], merges integer[]
   ) on commit drop`,
  'grant insert, select on replaced_revisions, revision_shifts, shifted_undos to notes_owner',
];

/**
 * Raises the revisions of every note beyond any that a client has seen, so that a base or an ETag from after the
 * backup matches no text. The order and the distances within a note stay. A constant is not enough: the same
 * backup restored twice would give the same revisions to different texts. A note starts at `start`, or, if its
 * revisions have been there before, randomly beyond its newest one in the backup and in the replaced database.
 * Runs in a transaction of the caller, after `rememberRevisions`.
 */
export const raiseRevisions = async (
  client: Pick<Client, 'query'>,
  start = revisionStart(),
): Promise<void> => {
  await client.query('set local role notes_owner');
  await client.query(insertShifts, [start, revisionMax - headroom, randomInt(jitterMax) + 1]);
  await client.query('reset role');
  await client.query('analyze pg_temp.revision_shifts');
  await client.query('set local role notes_owner');
  const restored = await columnsOf(client, 'note_revisions', ['restored_from']);
  await client.query(shiftOf('note_revisions', 'note_id', restored));
  await client.query(shiftOf('notes', 'id', await columnsOf(client, 'notes', sharedTexts)));
  await client.query(shiftOf('purged_notes', 'note_id'));
  await client.query(`${shiftOf('mutations', 'note_id')} and t.revision is not null`);
  await client.query('reset role');
  await raiseUndone(client);
  await raiseProposed(client);
};

/** Raises the revisions that undos name. A backup of an earlier release has none. */
const raiseUndone = async (client: Pick<Client, 'query'>): Promise<void> => {
  if (!(await hasTable(client, 'notes.undo_notes'))) {
    return;
  }
  await client.query('set local role notes_owner');
  await client.query(insertUndone);
  await client.query('reset role');
  await client.query(shiftLists);
  await client.query('set local role notes_owner');
  await client.query(updateUndone(await columnsOf(client, 'undo_notes', ['base_revision'])));
  await client.query('reset role');
};

/** Lists are raised in a table of the connection: Citus refuses that in an update of distributed rows. */
const insertUndone = `
  insert into pg_temp.shifted_undos
  select u.company_id, u.undo_id, u.note_id, s.shift, u.undoes, u.merges
  from notes.undo_notes u
  join pg_temp.revision_shifts s on s.company_id = u.company_id and s.note_id = u.note_id`;

const shiftLists = `
  update pg_temp.shifted_undos t set
    undoes = case when t.undoes is not null
      then array(select n.revision + t.shift from unnest(t.undoes) as n (revision)) end,
    merges = case when t.merges is not null
      then array(select n.revision + t.shift from unnest(t.merges) as n (revision)) end`;

const updateUndone = (others: readonly string[]): string => `
  update notes.undo_notes t set ${raised(['revision', ...others])},
    undone_from = t.undone_from + s.shift, undone_to = t.undone_to + s.shift,
    undoes = s.undoes, merges = s.merges
  from pg_temp.shifted_undos s
  where s.company_id = t.company_id and s.undo_id = t.undo_id and s.note_id = t.note_id`;

/** Raises the revisions that proposals name. A backup of an earlier release has none. */
const raiseProposed = async (client: Pick<Client, 'query'>): Promise<void> => {
  if (await hasTable(client, 'notes.proposals')) {
    await client.query('set local role notes_owner');
    await client.query(updateProposed);
    await client.query('reset role');
  }
};

/** A base beyond all revisions is that of no version. */
const updateProposed = `
  update notes.proposals t set revision = t.revision + s.shift,
    base_revision = case when t.base_revision::bigint + s.shift <= ${revisionMax}
      then t.base_revision + s.shift end
  from pg_temp.revision_shifts s
  where s.company_id = t.company_id and s.note_id = t.note_id`;

/** By how much the revisions of each note are raised. $1 start, $2 largest start, $3 distance. */
const insertShifts = `
  insert into pg_temp.revision_shifts
  with restored as (
    select company_id, note_id, min(revision) as oldest, max(revision) as newest
    from (
      select company_id, note_id, revision from notes.note_revisions
      union all select company_id, id, revision from notes.notes
      union all select company_id, note_id, revision from notes.purged_notes
    ) every_revision
    group by company_id, note_id
  ),
  seen as (
    select r.company_id, r.note_id, r.oldest,
      greatest(r.newest, max(p.revision))::bigint as newest
    from restored r
    left join pg_temp.replaced_revisions p on p.company_id = r.company_id and p.note_id = r.note_id
    group by r.company_id, r.note_id, r.oldest, r.newest
  )
  select company_id, note_id, (
    case
      when newest >= $1::bigint and newest + $3::bigint <= $2::bigint then newest + $3::bigint
      else $1::bigint
    end - oldest
  )::integer as shift
  from seen`;

/** The columns that say which versions have their text in their note. */
const sharedTexts = ['texts_from', 'texts_to'];

const raised = (columns: readonly string[]): string =>
  columns.map((each) => `${each} = t.${each} + s.shift`).join(', ');

/** Those of the columns that a table has. A backup of an earlier release may lack some. */
const columnsOf = async (
  client: Pick<Client, 'query'>,
  table: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ column: string }>(
    'select attname as column from pg_attribute where attrelid = $1::regclass and attname = any ($2)',
    [`notes.${table}`, names],
  );
  return rows.map(({ column }) => column);
};

const shiftOf = (table: string, noteId: string, others: readonly string[] = []): string => `
  update notes.${table} t set ${raised(['revision', ...others])}
  from pg_temp.revision_shifts s
  where s.company_id = t.company_id and s.note_id = t.${noteId}`;
