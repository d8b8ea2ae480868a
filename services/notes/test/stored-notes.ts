import { newId, type CompanyId } from '@commonplace/contracts';
import pg from 'pg';

/** What a test cares about in a stored note; the rest has dull values. */
export type StoredNote = {
  readonly id?: string;
  readonly title?: string;
  readonly content?: string;
  readonly folder?: string;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
  readonly archived?: boolean;
  readonly authorId?: string;
  readonly conflictOf?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly deletedAt?: string;
};

const noon = '2026-03-01T12:00:00.000Z';

/**
 * Puts notes straight into the tables, with times and authors that the write path would not give.
 * Gives their ids.
 */
export const storeNotes = async (
  adminUrl: string,
  companyId: CompanyId,
  notes: readonly StoredNote[],
): Promise<string[]> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ head: string }>(openFeed, [companyId, notes.length]);
    const first = Number(rows[0]?.head) - notes.length + 1;
    const stored = notes.map((note, index) => rowOf(note, first + index));
    await client.query(insertNotes, [companyId, JSON.stringify(stored)]);
    return stored.map(({ id }) => id);
  } finally {
    await client.end();
  }
};

const rowOf = (note: StoredNote, changeNo: number) => ({
  id: newId(),
  title: '',
  content: '',
  folder: '',
  tags: [],
  pinned: false,
  archived: false,
  authorId: newId(),
  createdAt: noon,
  updatedAt: note.createdAt ?? noon,
  changeNo,
  ...note,
});

const openFeed = `
  insert into notes.company_feed (company_id, epoch, head) values ($1, gen_random_uuid(), $2)
  on conflict (company_id) do update set head = company_feed.head + $2
  returning head
`;

const insertNotes = `
  with r as (
    select * from json_to_recordset($2) as r (
      id uuid, title text, content text, folder text, tags text[], pinned boolean, archived boolean,
      "authorId" uuid, "conflictOf" uuid, "createdAt" timestamptz, "updatedAt" timestamptz,
      "deletedAt" timestamptz, "changeNo" bigint)
  ), owners as (
    insert into notes.note_owner (id, company_id) select r.id, $1 from r
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, conflict_of, created_at, created_by_kind,
    created_by_id, updated_at, updated_by_kind, updated_by_id, deleted_at)
  select $1, r.id, 1, r."changeNo", r.title, r.content, r.folder, r.tags, r.pinned, r.archived, '{}',
    length(r.content), left(r.content, 200), length(r.content) + 700, r."conflictOf", r."createdAt",
    'agent', r."authorId", r."updatedAt", 'agent', r."authorId", r."deletedAt"
  from r
`;
