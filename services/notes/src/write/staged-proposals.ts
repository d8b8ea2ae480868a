import { newId, proposalId, type NoteId, type ProposalId } from '@commonplace/contracts/core';
import { proposalLimits, type Author, type NoteFields } from '@commonplace/contracts/notes';
import type { ProposalEnd, ProposalRow, Superseded } from '../queries/proposals.ts';
import { mutationHash } from '../rules/mutation-hash.ts';
import { otherFieldsOf } from '../rules/note-state.ts';
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
/** What a superseded proposal keeps of its text. */
const noText = { content: null, snippet: '', properties: {} };

/** Where a note is to be. */
type Place = Pick<NoteFields, 'folder' | 'title'>;

const chainOf = (authorId: string, noteId: NoteId): string => `${authorId} ${noteId}`;

/** Proposals by their ids, and which is the open one of an agent for a note. */
const indexProposals = (rows: readonly ProposalRow[], at: Date) => {
  const known = new Map(rows.map((row) => [row.id, row]));
  const open = new Map(
    rows.flatMap((row) =>
      row.state === 'open' ? [[chainOf(row.authorId, row.noteId), row.id] as const] : [],
    ),
  );
  return {
    find: (id: ProposalId): ProposalRow | null => known.get(id) ?? null,
    openFor: (authorId: string, noteId: NoteId): ProposalRow | null => {
      const id = open.get(chainOf(authorId, noteId));
      return (id && known.get(id)) ?? null;
    },
    openNew: (authorId: string, { folder, title }: Place): ProposalRow | null =>
      [...open.values()]
        .map((id) => known.get(id))
        .find(
          (row) =>
            row?.authorId === authorId &&
            row.proposalOf === null &&
            row.expiresAt > at &&
            row.folder === folder &&
            row.title.toLowerCase() === title.toLowerCase(),
        ) ?? null,
    isOpen: (id: ProposalId): boolean => {
      const row = known.get(id);
      return row?.state === 'open' && row.expiresAt > at;
    },
    set: (row: ProposalRow): void => {
      const chain = chainOf(row.authorId, row.noteId);
      known.set(row.id, row);
      if (row.state === 'open') {
        open.set(chain, row.id);
      } else if (open.get(chain) === row.id) {
        open.delete(chain);
      }
    },
  };
};

/** Counts the open proposals of agents, and of their company. */
const countProposals = (openOf: ReadonlyMap<string, number>) => {
  const counts = new Map(openOf);
  return {
    hasRoom: (authorId: string): boolean =>
      (counts.get(authorId) ?? 0) < proposalLimits.agentMax &&
      [...counts.values()].reduce((sum, count) => sum + count, 0) < proposalLimits.companyMax,
    add: (authorId: string): void => {
      counts.set(authorId, (counts.get(authorId) ?? 0) + 1);
    },
  };
};

/** The proposals of a transaction while its changes are decided in order. Writes nothing. */
export const stageProposals = ({ rows, openOf, at }: StagingProposals) => {
  const { find, openFor, openNew, isOpen, set } = indexProposals(rows, at);
  const { hasRoom, add } = countProposals(openOf);
  const inserted = new Set<ProposalId>();
  const superseded: Superseded[] = [];
  const accepted: Accepted[] = [];

  const replace = (row: ProposalRow, by: ProposalId): void => {
    const ended = { decidedAt: at, supersededBy: by };
    set({ ...row, ...noText, ...ended, state: 'superseded' });
    if (!inserted.has(row.id)) {
      superseded.push({ id: row.id, by });
    }
  };

  return {
    find,
    /** The open proposal of an agent for a note. */
    openFor,
    /** The open proposal of an agent for a new note of this title, letter case aside. */
    openNew,
    /** Stages a proposal, which replaces an earlier one of the same agent for the note; null: there are too many. */
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
        add(author.id);
      }
      set(row);
      inserted.add(row.id);
      return row;
    },
    /** Whether a proposal can be decided. */
    isOpen,
    accept: (end: Accepted): void => {
      const row = find(end.id);
      if (row) {
        set({ ...row, state: 'accepted', revision: end.revision, decidedAt: at });
      }
      accepted.push(end);
    },
    changes: (): ProposalChanges => ({
      inserted: [...inserted].flatMap((id) => find(id) ?? []),
      superseded,
      accepted,
    }),
  };
};

export type StagedProposals = ReturnType<typeof stageProposals>;

const rowOf = (proposal: NewProposal, at: Date): ProposalRow => {
  const { author, fields, noteId } = proposal;
  const { content } = fields;
  return {
    id: proposalId.parse(newId()),
    state: 'open',
    noteId,
    proposalOf: proposal.proposalOf,
    baseRevision: proposal.baseRevision,
    ...otherFieldsOf(fields),
    content,
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
