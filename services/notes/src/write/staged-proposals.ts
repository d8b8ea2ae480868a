import { newId, proposalId, type NoteId, type ProposalId } from '@commonplace/contracts/core';
import { proposalLimits, type Author, type NoteFields } from '@commonplace/contracts/notes';
import type { ProposalEnd, ProposalRow, Superseded } from '../queries/proposals.ts';
import { mutationHash } from '../rules/mutation-hash.ts';
import { snippetOf } from '../rules/snippet.ts';

export type StagingProposals = {
  /** Those that the changes of a transaction name, replace or repeat. */
  readonly rows: readonly ProposalRow[];
  /** How many open ones each agent has. */
  readonly openOf: ReadonlyMap<string, number>;
  readonly at: Date;
};

/** What is proposed of a note. */
export type NewProposal = {
  readonly noteId: NoteId;
  readonly proposalOf: NoteId | null;
  readonly baseRevision: number | null;
  readonly fields: NoteFields;
  readonly author: Author;
  readonly reason: string | null;
};

type Accepted = Pick<ProposalEnd, 'id' | 'decidedBy' | 'revision'>;

/** What a transaction stores of proposals. */
export type ProposalChanges = {
  readonly inserted: readonly ProposalRow[];
  readonly superseded: readonly Superseded[];
  readonly accepted: readonly Accepted[];
};

const dayMs = 86_400_000;

const chainOf = (authorId: string, noteId: NoteId): string => `${authorId} ${noteId}`;

/** The proposals of a transaction while its changes are decided in order. Writes nothing. */
export const stageProposals = ({ rows, openOf, at }: StagingProposals) => {
  const known = new Map(rows.map((row) => [row.id, row]));
  const inserted = new Set<ProposalId>();
  const superseded: Superseded[] = [];
  const accepted: Accepted[] = [];
  const counts = new Map(openOf);
  const open = new Map(
    rows.flatMap((row) =>
      row.state === 'open' ? [[chainOf(row.authorId, row.noteId), row.id] as const] : [],
    ),
  );

  const openFor = (authorId: string, noteId: NoteId): ProposalRow | null => {
    const id = open.get(chainOf(authorId, noteId));
    return (id && known.get(id)) ?? null;
  };

  const replace = (row: ProposalRow, by: ProposalId): void => {
    known.set(row.id, {
      ...row,
      state: 'superseded',
      content: null,
      decidedAt: at,
      supersededBy: by,
    });
    if (!inserted.has(row.id)) {
      superseded.push({ id: row.id, by });
    }
  };

  const hasRoom = (authorId: string): boolean =>
    (counts.get(authorId) ?? 0) < proposalLimits.agentMax &&
    [...counts.values()].reduce((sum, count) => sum + count, 0) < proposalLimits.companyMax;

  return {
    find: (id: ProposalId): ProposalRow | null => known.get(id) ?? null,
    /** The open proposal of an agent for a note. */
    openFor,
    /** Stages a proposal, which stands for an earlier one of the same agent for the note; null: there are too many. */
    propose: (proposal: NewProposal): ProposalRow | null => {
      const { author, noteId } = proposal;
      const earlier = openFor(author.id, noteId);
      if (!earlier && !hasRoom(author.id)) {
        return null;
      }
      const row = rowOf(proposal, at);
      if (earlier) {
        replace(earlier, row.id);
      } else {
        counts.set(author.id, (counts.get(author.id) ?? 0) + 1);
      }
      known.set(row.id, row);
      inserted.add(row.id);
      open.set(chainOf(author.id, noteId), row.id);
      return row;
    },
    /** Whether a proposal can be decided. */
    isOpen: (id: ProposalId): boolean => {
      const row = known.get(id);
      return row?.state === 'open' && row.expiresAt > at;
    },
    accept: (end: Accepted): void => {
      const row = known.get(end.id);
      if (row) {
        known.set(end.id, { ...row, state: 'accepted', revision: end.revision, decidedAt: at });
        open.delete(chainOf(row.authorId, row.noteId));
      }
      accepted.push(end);
    },
    changes: (): ProposalChanges => ({
      inserted: [...inserted].flatMap((id) => known.get(id) ?? []),
      superseded,
      accepted,
    }),
  };
};

export type StagedProposals = ReturnType<typeof stageProposals>;

const rowOf = (proposal: NewProposal, at: Date): ProposalRow => {
  const { author, fields, noteId } = proposal;
  const { title, content, folder, tags, pinned, archived, properties } = fields;
  return {
    id: proposalId.parse(newId()),
    state: 'open',
    noteId,
    proposalOf: proposal.proposalOf,
    baseRevision: proposal.baseRevision,
    title,
    content,
    folder,
    tags,
    pinned,
    archived,
    properties,
    size: Buffer.byteLength(content),
    snippet: snippetOf(content),
    fieldsHash: mutationHash(noteId, fields),
    reason: proposal.reason,
    authorKind: author.kind,
    authorId: author.id,
    authorRunId: author.runId ?? null,
    authorKeyId: author.keyId ?? null,
    authorConnectionId: author.connectionId ?? null,
    via: author.via ?? null,
    createdAt: at,
    expiresAt: new Date(at.getTime() + proposalLimits.days * dayMs),
    decidedAt: null,
    decidedBy: null,
    decisionReason: null,
    revision: null,
    supersededBy: null,
  };
};
