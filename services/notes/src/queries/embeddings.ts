import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

/** A company with notes to embed, or vectors to delete. */
export type CompanyToEmbed = { readonly companyId: CompanyId; readonly isEnabled: boolean };

/** The companies with something to embed with a profile, or to delete; null: only to delete. */
export const listCompaniesToEmbed = (
  tx: GlobalTx,
  profile: string | null,
): Promise<CompanyToEmbed[]> =>
  tx.query<CompanyToEmbed>(
    `select c.company_id as "companyId", c.is_enabled as "isEnabled"
     from notes.companies_to_embed($1) c
     order by c.company_id`,
    [profile],
  );

/** How far a company is embedded, and up to which change vectors of deleted notes are gone. */
export type EmbeddingProgress = { readonly changeNo: number; readonly deletedNo: number };

/** What a process embeds with: of two profiles that of the process counts which started later. */
export type ProfileOfProcess = { readonly profile: string; readonly startedAt: Date };

export type EmbeddingLease = ProfileOfProcess & { readonly now: Date; readonly until: Date };

/**
 * Takes the lease of a company's embeddings; another profile begins again. Null: another process has it, or one that started
 * later has another profile.
 */
export const leaseEmbeddings = async (
  tx: CompanyTx,
  { profile, startedAt, now, until }: EmbeddingLease,
): Promise<EmbeddingProgress | null> => {
  const [row] = await tx.query<EmbeddingProgress>(
    `insert into notes.embedding_progress as p
       (company_id, profile, change_no, deleted_no, leased_until, is_large, profile_since)
     values ($1, $2, 0, 0, $4, false, $5)
     on conflict (company_id) do update set profile = excluded.profile, leased_until = excluded.leased_until,
       change_no = case when p.profile = excluded.profile then p.change_no else 0 end,
       profile_since = greatest(p.profile_since, excluded.profile_since)
       where p.leased_until <= $3
         and (p.profile = excluded.profile or coalesce(p.profile_since <= excluded.profile_since, true))
     returning p.change_no as "changeNo", p.deleted_no as "deletedNo"`,
    [tx.companyId, profile, now, until, startedAt],
  );
  return row ?? null;
};

/** The profile of a process that started later, with which a company is embedded; null: none. */
export const findNewerProfile = async (
  tx: CompanyTx,
  { profile, startedAt }: ProfileOfProcess,
): Promise<string | null> => {
  const [row] = await tx.query<{ profile: string }>(
    `select p.profile from notes.embedding_progress p
     where p.company_id = $1 and p.profile <> $2 and p.profile_since > $3`,
    [tx.companyId, profile, startedAt],
  );
  return row?.profile ?? null;
};

/** Gives a lease back, so that the next pass of any process takes it; not one that ran out and that another has taken. */
export const releaseEmbeddings = async (
  tx: CompanyTx,
  { until, now }: Pick<EmbeddingLease, 'until' | 'now'>,
): Promise<void> => {
  await tx.query(
    `update notes.embedding_progress set leased_until = $3 where company_id = $1 and leased_until = $2`,
    [tx.companyId, until, now],
  );
};

/** Where a company's vectors of deleted notes were deleted last; null: it has no vectors. */
export const findDeletedNo = async (tx: CompanyTx): Promise<number | null> => {
  const [row] = await tx.query<{ deletedNo: number }>(
    `select p.deleted_no as "deletedNo" from notes.embedding_progress p where p.company_id = $1`,
    [tx.companyId],
  );
  return row?.deletedNo ?? null;
};

/** Deletes the vectors of notes that were deleted by changes beyond one number and up to another. */
export const deleteEmbeddingsOfDeleted = async (
  tx: CompanyTx,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<void> => {
  await tx.query(
    `delete from notes.note_embeddings e using notes.notes n
     where e.company_id = $1 and n.company_id = $1 and n.id = e.note_id
       and n.change_no > $2 and n.change_no <= $3 and n.deleted_at is not null`,
    [tx.companyId, after, upTo],
  );
};

/** Sets up to which change vectors of deleted notes are gone. */
export const updateDeletedNo = async (tx: CompanyTx, deletedNo: number): Promise<void> => {
  await tx.query(
    `update notes.embedding_progress set deleted_no = $2 where company_id = $1 and deleted_no < $2`,
    [tx.companyId, deletedNo],
  );
};

/** What is embedded of a note. */
export type NoteToEmbed = {
  readonly id: NoteId;
  readonly changeNo: number;
  readonly title: string;
  readonly folder: string;
  readonly content: string;
};

export type EmbeddingRange = {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** How much of each content is read. */
  readonly charactersMax: number;
};

/** The active notes of the next changes, in their order, with the beginnings of their contents. */
export const listNotesToEmbed = (
  tx: CompanyTx,
  { after, upTo, limit, charactersMax }: EmbeddingRange,
): Promise<NoteToEmbed[]> =>
  tx.query<NoteToEmbed>(
    `select n.id, n.change_no as "changeNo", n.title, n.folder, left(n.content, $5) as content
     from notes.notes n
     where n.company_id = $1 and n.change_no > $2 and n.change_no <= $3 and n.deleted_at is null
     order by n.change_no
     limit $4`,
    [tx.companyId, after, upTo, limit, charactersMax],
  );

export type EmbeddedText = { readonly noteId: NoteId; readonly textHash: string };

/** The hashes of what was embedded of some notes with a profile. */
export const listEmbeddedTexts = (
  tx: CompanyTx,
  ids: readonly NoteId[],
  profile: string,
): Promise<EmbeddedText[]> =>
  tx.query<EmbeddedText>(
    `select e.note_id as "noteId", e.text_hash as "textHash"
     from notes.note_embeddings e
     where e.company_id = $1 and e.note_id = any ($2::uuid[]) and e.profile = $3`,
    [tx.companyId, ids, profile],
  );

/** The vectors of a note; `vectors` are hexadecimal, `signs` those of each vector as text of a bit string. */
export type NoteEmbedding = {
  readonly id: NoteId;
  readonly changeNo: number;
  readonly textHash: string;
  readonly skipped: number;
  readonly vectors: string;
  readonly signs: readonly string[];
};

/** Stores the vectors of notes that did not change since they were read; those that did are embedded later. */
export const upsertEmbeddings = async (
  tx: CompanyTx,
  profile: string,
  notes: readonly NoteEmbedding[],
): Promise<void> => {
  const stored = await tx.query<{ id: NoteId }>(
    `insert into notes.note_embeddings as e (company_id, note_id, profile, text_hash, skipped, vectors)
     select n.company_id, n.id, $2, d.text_hash, d.skipped, decode(d.vectors, 'hex')
     from unnest($3::uuid[], $4::bigint[], $5::text[], $6::integer[], $7::text[])
       as d (id, change_no, text_hash, skipped, vectors)
     join notes.notes n on n.company_id = $1 and n.id = d.id and n.change_no = d.change_no
       and n.deleted_at is null
     where n.company_id = $1
     on conflict (company_id, note_id) do update set profile = excluded.profile,
       text_hash = excluded.text_hash, skipped = excluded.skipped, vectors = excluded.vectors
     returning e.note_id as id`,
    [
      tx.companyId,
      profile,
      notes.map(({ id }) => id),
      notes.map(({ changeNo }) => changeNo),
      notes.map(({ textHash }) => textHash),
      notes.map(({ skipped }) => skipped),
      notes.map(({ vectors }) => vectors),
    ],
  );
  const ids = new Set(stored.map(({ id }) => id));
  await replaceSigns(
    tx,
    notes.filter(({ id }) => ids.has(id)),
  );
};

const replaceSigns = async (tx: CompanyTx, notes: readonly NoteEmbedding[]): Promise<void> => {
  await tx.query(
    'delete from notes.embedding_signs s where s.company_id = $1 and s.note_id = any ($2::uuid[])',
    [tx.companyId, notes.map(({ id }) => id)],
  );
  const rows = notes.flatMap(({ id, signs }) => signs.map((bits, place) => ({ id, place, bits })));
  await tx.query(
    `insert into notes.embedding_signs (company_id, note_id, place, signs)
     select f.company_id, d.note_id, d.place, d.signs::varbit
     from notes.company_feed f
     cross join unnest($2::uuid[], $3::smallint[], $4::text[]) as d (note_id, place, signs)
     where f.company_id = $1`,
    [
      tx.companyId,
      rows.map(({ id }) => id),
      rows.map(({ place }) => place),
      rows.map(({ bits }) => bits),
    ],
  );
};

/** More vectors of a company are not looked at for a search. */
export const searchedVectorsMax = 100_000;

/**
 * Moves the progress of a profile on from one change to another, unless it was moved meanwhile, and records whether the
 * company has more vectors than a search looks at.
 */
export const advanceEmbeddings = async (
  tx: CompanyTx,
  { profile, from, to }: { readonly profile: string; readonly from: number; readonly to: number },
): Promise<void> => {
  await tx.query(
    `update notes.embedding_progress set change_no = $4, is_large = exists (
       select 1 from notes.embedding_signs s where s.company_id = $1 offset $5
     )
     where company_id = $1 and profile = $2 and change_no = $3`,
    [tx.companyId, profile, from, to, searchedVectorsMax],
  );
};

/** Deletes so many vectors of a company that is switched off; returns of how many notes. */
export const deleteEmbeddings = async (tx: CompanyTx, limit: number): Promise<number> => {
  const rows = await tx.query(
    `delete from notes.note_embeddings e
     where e.company_id = $1 and e.note_id in (
       select o.note_id from notes.note_embeddings o where o.company_id = $1 limit $2
     )
     returning e.note_id`,
    [tx.companyId, limit],
  );
  return rows.length;
};

/** Deletes the progress of a company whose vectors are gone. */
export const deleteEmbeddingProgress = async (tx: CompanyTx): Promise<void> => {
  await tx.query('delete from notes.embedding_progress where company_id = $1', [tx.companyId]);
};

/** How many notes have vectors of a profile. */
export const countEmbeddedNotes = async (tx: CompanyTx, profile: string): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from notes.note_embeddings e
     where e.company_id = $1 and e.profile = $2`,
    [tx.companyId, profile],
  );
  return row?.count ?? 0;
};

export type NoteVectors = { readonly noteId: NoteId; readonly vectors: Buffer };

/** The vectors of notes in the order of their ids given, up to a number of bytes. */
export const listVectors = (
  tx: CompanyTx,
  {
    ids,
    profile,
    bytesMax,
  }: { readonly ids: readonly NoteId[]; readonly profile: string; readonly bytesMax: number },
): Promise<NoteVectors[]> =>
  tx.query<NoteVectors>(
    `select v.note_id as "noteId", v.vectors
     from (
       select e.note_id, e.vectors, sum(octet_length(e.vectors)) over (order by i.place) as bytes
       from unnest($2::uuid[]) with ordinality as i (id, place)
       join notes.note_embeddings e on e.company_id = $1 and e.note_id = i.id and e.profile = $3
       where e.company_id = $1
     ) v
     where v.bytes <= $4`,
    [tx.companyId, ids, profile, bytesMax],
    'notes.list-vectors',
  );
