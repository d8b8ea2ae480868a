import type { Author, EndedProposal, NamedAuthor, Proposal } from '@commonplace/contracts/notes';
import type { CompanyId } from '@commonplace/contracts/core';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import { presentAuthor } from './present-note.ts';

/** Gives an author its name. */
type NameAuthor = (author: Author) => NamedAuthor;

/** Who proposed, and who decided. */
export const authorsOfProposal = (row: ProposalRow): Author[] => [
  proposerOf(row),
  ...(row.decidedBy ? [row.decidedBy] : []),
];

/** Who proposed: the author of the version that it becomes. */
export const proposerOf = (row: ProposalRow): Author =>
  presentAuthor({
    kind: row.authorKind,
    id: row.authorId,
    runId: row.authorRunId,
    keyId: row.authorKeyId,
    connectionId: row.authorConnectionId,
    via: row.via,
  });

/** A proposal without its text. */
export const presentProposal = (
  row: ListedProposalRow,
  companyId: CompanyId,
  named: NameAuthor,
): Proposal => ({
  id: row.id,
  companyId,
  state: row.state,
  noteId: row.noteId,
  proposalOf: row.proposalOf,
  baseRevision: row.baseRevision,
  title: row.title,
  folder: row.folder,
  tags: row.tags,
  pinned: row.pinned,
  archived: row.archived,
  properties: row.properties,
  size: row.size,
  snippet: row.snippet,
  reason: row.reason,
  author: named(proposerOf(row)),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  decidedBy: row.decidedBy && named(row.decidedBy),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decisionReason: row.decisionReason,
  revision: row.revision,
  supersededBy: row.supersededBy,
  note: presentTarget(row),
});

const presentTarget = (row: ListedProposalRow): Proposal['note'] =>
  row.noteRevision === null
    ? null
    : {
        title: row.noteTitle ?? '',
        folder: row.noteFolder ?? '',
        revision: row.noteRevision,
        deleted: row.isNoteDeleted === true,
      };

/** What became of a proposal, for the agent that made it. */
export const presentEndedProposal = (row: ListedProposalRow, named: NameAuthor): EndedProposal => ({
  id: row.id,
  noteId: row.noteId,
  title: row.title,
  folder: row.folder,
  state: row.state as EndedProposal['state'],
  at: (row.decidedAt ?? row.createdAt).toISOString(),
  decidedBy: row.decidedBy && named(row.decidedBy),
  reason: row.decisionReason,
  revision: row.revision,
});
