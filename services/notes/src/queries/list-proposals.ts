import type { NoteId, ProposalId } from '@commonplace/contracts/core';
import type { ProposalState } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import { binder, type Bind } from './note-filters.ts';
import { proposalColumns, type ProposalRow } from './proposals.ts';

/** A proposal with its note as it is now; null: there is none. */
export type ListedProposalRow = ProposalRow & {
  readonly noteTitle: string | null;
  readonly noteFolder: string | null;
  readonly noteRevision: number | null;
  readonly isNoteDeleted: boolean | null;
};

/** Whose proposals a caller sees; null: of everybody. */
export type ProposalViewer = {
  readonly agentId: string;
  /** Where it may decide, as prefixes of folders with a `/` behind them. */
  readonly decides: readonly string[];
} | null;

/** Time and id of the last proposal of the page before. */
type ProposalPosition = readonly [at: Date, id: string];

type ProposalFilters = {
  readonly state: ProposalState | null;
  readonly agentId: string | null;
  readonly runId: string | null;
  readonly noteId: NoteId | null;
  /** What is proposed has this title; titles are compared as those of notes. */
  readonly title: string | null;
};

export type ProposalPage = ProposalFilters & {
  readonly viewer: ProposalViewer;
  readonly after: ProposalPosition | null;
  readonly limit: number;
};

const from = `
  from notes.proposals p
  left join notes.notes n on n.company_id = $1 and n.id = p.note_id`;

/**
 * What a caller sees: the folder that is proposed, and the note as it is now, unless there is none yet. The policies hide the
 * rows of both.
 */
const visible = ({ folders }: CompanyTx, viewer: ProposalViewer, bind: Bind): string => {
  const isNoteVisible =
    folders === null
      ? 'true'
      : '(n.id is not null or (p.proposal_of is null and p.revision is null))';
  if (viewer === null) {
    return isNoteVisible;
  }
  const decides = `${bind([...viewer.decides])}::text[]`;
  return `${isNoteVisible} and (p.author_id = ${bind(viewer.agentId)}::uuid or (
    (p.folder || '/') ^@ any (${decides})
    and (n.id is null or (n.folder || '/') ^@ any (${decides}))))`;
};

const columns = `${proposalColumns}, null as "earlierSources", n.title as "noteTitle", n.folder as "noteFolder",
  n.revision as "noteRevision", n.deleted_at is not null as "isNoteDeleted"`;

/** Open ones have an index of their own, which a parameter would hide. */
const stateIs = (state: ProposalState, bind: Bind): string =>
  state === 'open' ? `p.state = 'open'` : `p.state = ${bind(state)}`;

/** A page of the proposals that a caller sees, newest first, without their texts. */
export const listProposals = (tx: CompanyTx, page: ProposalPage): Promise<ListedProposalRow[]> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const { state, agentId, runId, noteId, title, after } = page;
  const conditions = [
    'p.company_id = $1',
    visible(tx, page.viewer, bind),
    ...(state === null ? [] : [stateIs(state, bind)]),
    ...(agentId === null ? [] : [`p.author_id = ${bind(agentId)}::uuid`]),
    ...(runId === null ? [] : [`p.author_run_id = ${bind(runId)}::uuid`]),
    ...(noteId === null ? [] : [`p.note_id = ${bind(noteId)}::uuid`]),
    ...(title === null ? [] : [`notes.title_key(p.title) = notes.title_key(${bind(title)})`]),
    ...(after
      ? [`(p.created_at, p.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`]
      : []),
  ];
  return tx.query<ListedProposalRow>(
    `select ${columns}, null as content ${from}
     where ${conditions.join(' and ')}
     order by p.created_at desc, p.id desc
     limit ${bind(page.limit)}`,
    values,
  );
};

/** How many open proposals a caller sees. */
export const countVisibleProposals = async (
  tx: CompanyTx,
  viewer: ProposalViewer,
): Promise<number> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count ${from}
     where p.company_id = $1 and p.state = 'open' and ${visible(tx, viewer, bind)}`,
    values,
  );
  return row?.count ?? 0;
};

/** One proposal that a caller sees; null: there is none. Operators, who see all, decide most often. */
export const findProposal = async (
  tx: CompanyTx,
  id: ProposalId,
  { viewer, withText }: { readonly viewer: ProposalViewer; readonly withText: boolean },
): Promise<ListedProposalRow | null> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const [row] = await tx.query<ListedProposalRow>(
    `select ${columns}, ${withText ? 'p.content' : 'null as content'} ${from}
     where p.company_id = $1 and p.id = ${bind(id)}::uuid and ${visible(tx, viewer, bind)}`,
    values,
    viewer === null && tx.folders === null
      ? `notes.find-proposal${withText ? '-with-its-text' : ''}`
      : undefined,
  );
  return row ?? null;
};

type DecidedProposals = {
  readonly since: Date;
  readonly limit: number;
  /** Default: also those that became a version. */
  readonly withVersions?: boolean;
};

/**
 * Proposals of an agent that were decided or expired since a time, the newest first. Where there are more than the limit, those
 * that became a version are left out first: the note says what became of them.
 */
export const listDecidedProposals = async (
  tx: CompanyTx,
  agentId: string,
  { since, limit, withVersions = true }: DecidedProposals,
): Promise<ListedProposalRow[]> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const rows = await tx.query<ListedProposalRow>(
    `select ${columns}, null as content ${from}
     where p.company_id = $1 and p.author_id = ${bind(agentId)}::uuid and p.decided_at >= ${bind(since)}
       and p.state in ('accepted', 'rejected', 'expired') and ${visible(tx, null, bind)}
       ${withVersions ? '' : 'and p.revision is null'}
     order by p.revision is not null, p.decided_at desc
     limit ${bind(limit)}`,
    values,
  );
  return rows.toSorted((a, b) => Number(b.decidedAt) - Number(a.decidedAt));
};
