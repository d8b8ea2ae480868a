import type { NoteId, ProposalId } from '@commonplace/contracts/core';
import type { Author, ProposalState } from '@commonplace/contracts/notes';
import { arrayText, type CompanyTx } from '@commonplace/db';
import type { AuthorKind, Via, WritableRow } from './note-rows.ts';

/** The credential of earlier proposals whose text a later one continues, and when the first and the last were made. */
export type EarlierSource = {
  readonly runId: string | null;
  readonly keyId: string | null;
  readonly connectionId: string | null;
  readonly firstAt: string;
  readonly lastAt: string;
};

/** A row of notes.proposals. */
export type ProposalRow = Omit<WritableRow, 'content'> & {
  readonly id: ProposalId;
  readonly state: ProposalState;
  readonly noteId: NoteId;
  readonly proposalOf: NoteId | null;
  readonly baseRevision: number | null;
  /** Null: it was superseded or has ended, or it was not read. */
  readonly content: string | null;
  readonly size: number;
  readonly snippet: string;
  /** Of all fields, as a mutation has it. */
  readonly fieldsHash: string;
  readonly reason: string | null;
  readonly authorKind: AuthorKind;
  readonly authorId: string;
  readonly authorRunId: string | null;
  readonly authorKeyId: string | null;
  readonly authorConnectionId: string | null;
  /** The latest last. Null: it continues no other, or they were not read. */
  readonly earlierSources: readonly EarlierSource[] | null;
  readonly via: Via | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: Author | null;
  readonly decisionReason: string | null;
  readonly revision: number | null;
  readonly supersededBy: ProposalId | null;
};

/** All columns of a proposal `p` but the content and what it continues. */
export const proposalColumns = `
  p.id, p.state, p.note_id as "noteId", p.proposal_of as "proposalOf", p.base_revision as "baseRevision",
  p.title, p.folder, p.tags, p.pinned, p.archived, p.properties, p.size, p.snippet,
  p.fields_hash as "fieldsHash", p.reason, p.author_kind as "authorKind", p.author_id as "authorId",
  p.author_run_id as "authorRunId", p.author_key_id as "authorKeyId",
  p.author_connection_id as "authorConnectionId", p.via, p.created_at as "createdAt",
  p.expires_at as "expiresAt", p.decided_at as "decidedAt", p.decided_by as "decidedBy",
  p.decision_reason as "decisionReason", p.revision, p.superseded_by as "supersededBy"
`;

/** In place of what a later proposal needs of an open one. */
const withoutTexts = 'null as content, null as "earlierSources"';

/** The proposals with these ids, without their texts. */
export const listProposalsById = (
  tx: CompanyTx,
  ids: readonly ProposalId[],
): Promise<ProposalRow[]> =>
  tx.query<ProposalRow>(
    `select ${proposalColumns}, ${withoutTexts} from notes.proposals p
     where p.company_id = $1 and p.id = any ($2::uuid[])
     order by p.id`,
    [tx.companyId, [...ids]],
    'notes.list-proposals-by-id',
  );

/** A note of which a caller may have an open proposal, and whether the text of that is needed. */
export type ProposedNote = {
  readonly authorId: string;
  readonly noteId: NoteId;
  readonly isTextNeeded: boolean;
};

/** The open proposals of callers for notes. Texts beyond `bytesMax` together are left out. */
export const listOpenProposals = (
  tx: CompanyTx,
  notes: readonly ProposedNote[],
  bytesMax: number,
): Promise<ProposalRow[]> =>
  tx.query<ProposalRow>(
    `select ${proposalColumns}, p.earlier_sources as "earlierSources",
       case when p.is_needed and p.bytes <= $5 then p.content end as content
     from (
       select p.*, w.is_needed,
         sum(case when w.is_needed then p.size else 0 end) over (order by w.place, p.id) as bytes
       from unnest($2::uuid[], $3::uuid[], $4::boolean[]) with ordinality
         as w (author_id, note_id, is_needed, place)
       join notes.proposals p on p.company_id = $1 and p.author_id = w.author_id
         and p.note_id = w.note_id and p.state = 'open'
     ) p
     order by p.created_at, p.id`,
    [
      tx.companyId,
      notes.map(({ authorId }) => authorId),
      notes.map(({ noteId }) => noteId),
      notes.map(({ isTextNeeded }) => isTextNeeded),
      bytesMax,
    ],
    'notes.list-open-proposals',
  );

/** A new note of a caller, by its folder and title. */
export type ProposedPlace = {
  readonly authorId: string;
  readonly folder: string;
  readonly title: string;
};

/** A proposal of a new note, with the key of its title: equal for titles that notes do not distinguish. */
export type ProposedNoteRow = ProposalRow & { readonly titleKey: string };

/** The open proposals of callers for new notes of these titles in folders, without their texts. */
export const listProposedNotes = (
  tx: CompanyTx,
  places: readonly ProposedPlace[],
): Promise<ProposedNoteRow[]> =>
  tx.query<ProposedNoteRow>(
    `select distinct on (p.created_at, p.id) ${proposalColumns}, ${withoutTexts},
       notes.title_key(p.title) as "titleKey"
     from unnest($2::uuid[], $3::text[], $4::text[]) as w (author_id, folder, title)
     join notes.proposals p on p.company_id = $1 and p.author_id = w.author_id and p.state = 'open'
       and p.proposal_of is null and p.folder collate "C" = w.folder collate "C"
       and notes.title_key(p.title) collate "C" = notes.title_key(w.title) collate "C"
     order by p.created_at, p.id`,
    [
      tx.companyId,
      places.map(({ authorId }) => authorId),
      places.map(({ folder }) => folder),
      places.map(({ title }) => title),
    ],
    'notes.list-proposed-notes-of-titles',
  );

/** How many open proposals each author has. */
export const countOpenProposals = (
  tx: CompanyTx,
): Promise<{ readonly authorId: string; readonly count: number }[]> =>
  tx.query(
    `select p.author_id as "authorId", count(*)::integer as count from notes.proposals p
     where p.company_id = $1 and p.state = 'open'
     group by p.author_id`,
    [tx.companyId],
    'notes.count-open-proposals',
  );

/** Stores new proposals. */
export const insertProposals = async (
  tx: CompanyTx,
  rows: readonly ProposalRow[],
): Promise<void> => {
  await tx.query(
    `insert into notes.proposals (company_id, id, state, note_id, proposal_of, base_revision, title, folder,
       content, tags, pinned, archived, properties, size, snippet, fields_hash, reason, author_kind,
       author_id, author_run_id, author_key_id, author_connection_id, earlier_sources, via, created_at,
       expires_at, decided_at, superseded_by)
     select f.company_id, r.id, r.state, r.note_id, r.proposal_of, r.base_revision, r.title, r.folder,
       r.content, r.tags::text[], r.pinned, r.archived, r.properties, r.size, r.snippet, r.fields_hash,
       r.reason, r.author_kind, r.author_id, r.author_run_id, r.author_key_id, r.author_connection_id,
       r.earlier_sources, r.via, r.created_at, r.expires_at, r.decided_at, r.superseded_by
     from notes.company_feed f
     cross join json_to_recordset($2::json) as r (id uuid, state text, note_id uuid, proposal_of uuid,
       base_revision integer, title text, folder text, content text, tags text, pinned boolean,
       archived boolean, properties json, size integer, snippet text, fields_hash text, reason text,
       author_kind text, author_id uuid, author_run_id uuid, author_key_id uuid,
       author_connection_id uuid, earlier_sources jsonb, via text, created_at timestamptz,
       expires_at timestamptz, decided_at timestamptz, superseded_by uuid)
     where f.company_id = $1`,
    [tx.companyId, JSON.stringify(rows.map(insertedOf))],
    'notes.insert-proposals',
  );
};

const insertedOf = (row: ProposalRow) => ({
  id: row.id,
  state: row.state,
  note_id: row.noteId,
  proposal_of: row.proposalOf,
  base_revision: row.baseRevision,
  title: row.title,
  folder: row.folder,
  content: row.content,
  tags: arrayText(row.tags),
  pinned: row.pinned,
  archived: row.archived,
  properties: row.properties,
  size: row.size,
  snippet: row.snippet,
  fields_hash: row.fieldsHash,
  reason: row.reason,
  author_kind: row.authorKind,
  author_id: row.authorId,
  author_run_id: row.authorRunId,
  author_key_id: row.authorKeyId,
  author_connection_id: row.authorConnectionId,
  earlier_sources: row.earlierSources,
  via: row.via,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  decided_at: row.decidedAt,
  superseded_by: row.supersededBy,
});

/** A proposal that a later one replaces. */
export type Superseded = { readonly id: ProposalId; readonly by: ProposalId };

/** Marks open proposals that later ones replace; false: one of them is not open any more. Their texts are not kept. */
export const supersedeProposals = async (
  tx: CompanyTx,
  superseded: readonly Superseded[],
  at: Date,
): Promise<boolean> => {
  const rows = await tx.query(
    `update notes.proposals p set state = 'superseded', decided_at = $4, content = null,
       snippet = '', properties = '{}', superseded_by = s.by_id
     from unnest($2::uuid[], $3::uuid[]) as s (id, by_id)
     where p.company_id = $1 and p.id = s.id and p.state = 'open'
     returning 1 as superseded`,
    [tx.companyId, superseded.map(({ id }) => id), superseded.map(({ by }) => by), at],
    'notes.supersede-proposals',
  );
  return rows.length === superseded.length;
};

/** What became of a proposal. */
export type ProposalEnd = {
  readonly id: ProposalId;
  readonly state: 'accepted' | 'rejected';
  readonly decidedBy: Author;
  readonly decisionReason: string | null;
  /** The revision that it became; null: none. */
  readonly revision: number | null;
  readonly at: Date;
};

/** Ends an open proposal; false: it is not open any more. */
export const endProposal = async (tx: CompanyTx, end: ProposalEnd): Promise<boolean> => {
  const rows = await tx.query(
    `update notes.proposals p set state = $3, decided_by = $4, decision_reason = $5, revision = $6,
       decided_at = $7
     where p.company_id = $1 and p.id = $2 and p.state = 'open' and p.expires_at > $7
     returning 1 as ended`,
    [
      tx.companyId,
      end.id,
      end.state,
      JSON.stringify(end.decidedBy),
      end.decisionReason,
      end.revision,
      end.at,
    ],
    'notes.end-proposal',
  );
  return rows.length > 0;
};
