import { newId, proposalId, type NoteId, type ProposalId } from '@commonplace/contracts/core';
import {
  proposalLimits,
  type Author,
  type NoteFields,
  type ProposalState,
} from '@commonplace/contracts/notes';
import type { EarlierSource, ProposalEnd, ProposalRow, Superseded } from '../queries/proposals.ts';
import { mutationHash } from '../rules/mutation-hash.ts';
import { otherFieldsOf } from '../rules/note-state.ts';
import { proposalStateAt } from '../rules/proposal-state.ts';
import { snippetOf } from '../rules/snippet.ts';

export type StagingProposals = {
  /** Those that the changes of a transaction name, replace or repeat. */
  readonly rows: readonly ProposalRow[];
  /** How many open ones each agent has. */
  readonly openOf: ReadonlyMap<string, number>;
  /** The keys of the titles of new notes that changes may repeat. */
  readonly titleKeyOf: ReadonlyMap<ProposalId, string>;
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
  /** The earlier proposal whose text this one has; null: it has none. */
  readonly goesOnWith: ProposalRow | null;
  /** Of the title of a new note that is wanted once; null: it is another change. */
  readonly titleKey: string | null;
};

/** Who accepts a proposal, and which revision it becomes. */
type Acceptor = Pick<ProposalEnd, 'decidedBy' | 'revision'>;

type Accepted = Acceptor & Pick<ProposalEnd, 'id'>;

/** What a transaction stores of proposals. */
export type ProposalChanges = {
  readonly inserted: readonly ProposalRow[];
  readonly superseded: readonly Superseded[];
  readonly accepted: readonly Accepted[];
  /** The new notes that are proposed for the first time. */
  readonly newNotes: readonly NoteId[];
  /** The new notes that were proposed before: the company has their ids already. */
  readonly knownNotes: readonly NoteId[];
};

const dayMs = 86_400_000;
/** What a superseded proposal keeps of its text. */
const noText = { content: null, snippet: '', properties: {} };

/** Where a note is to be; titles of one key are not distinguished. */
type Place = Pick<NoteFields, 'folder'> & { readonly titleKey: string | null };

const chainOf = (authorId: string, noteId: NoteId): string => `${authorId} ${noteId}`;

/** Proposals by their ids, and which is the open one of an agent for a note. */
const indexProposals = ({ rows, titleKeyOf, at }: StagingProposals) => {
  const keys = new Map(titleKeyOf);
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
    openNew: (authorId: string, { folder, titleKey }: Place): ProposalRow | null =>
      [...open.values()]
        .map((id) => known.get(id))
        .find(
          (row) =>
            row?.authorId === authorId &&
            row.proposalOf === null &&
            row.expiresAt > at &&
            row.folder === folder &&
            titleKey !== null &&
            keys.get(row.id) === titleKey,
        ) ?? null,
    stateOf: (id: ProposalId): ProposalState | null => {
      const row = known.get(id);
      return row ? proposalStateAt(row, at) : null;
    },
    set: (row: ProposalRow, titleKey: string | null = null): void => {
      if (titleKey !== null) {
        keys.set(row.id, titleKey);
      }
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
    /** Counts another one of an agent; false: there are too many. */
    takeRoom: (authorId: string): boolean => {
      const ofAgent = counts.get(authorId) ?? 0;
      const ofCompany = [...counts.values()].reduce((sum, count) => sum + count, 0);
      if (ofAgent >= proposalLimits.agentMax || ofCompany >= proposalLimits.companyMax) {
        return false;
      }
      counts.set(authorId, ofAgent + 1);
      return true;
    },
  };
};

/** The new notes of proposals: those that are proposed for the first time, and others. */
const createProposedNotes = () => {
  const newNotes = new Set<NoteId>();
  const knownNotes = new Set<NoteId>();
  return {
    add: (
      { proposalOf, noteId }: Pick<ProposalRow, 'proposalOf' | 'noteId'>,
      isKnown: boolean,
    ): void => {
      if (proposalOf === null && !newNotes.has(noteId)) {
        (isKnown ? knownNotes : newNotes).add(noteId);
      }
    },
    all: () => ({ newNotes: [...newNotes], knownNotes: [...knownNotes] }),
  };
};

/** The proposals of a transaction while its changes are decided in order. Writes nothing. */
export const stageProposals = (staging: StagingProposals) => {
  const { find, openFor, openNew, stateOf, set } = indexProposals(staging);
  const { takeRoom } = countProposals(staging.openOf);
  const inserted = new Set<ProposalId>();
  const superseded: Superseded[] = [];
  const accepted: Accepted[] = [];
  const proposedNotes = createProposedNotes();

  const replace = (row: ProposalRow, by: ProposalId): void => {
    set({ ...row, ...noText, decidedAt: staging.at, supersededBy: by, state: 'superseded' });
    if (!inserted.has(row.id)) {
      superseded.push({ id: row.id, by });
    }
  };

  return {
    find,
    /** The open proposal of an agent for a note. */
    openFor,
    /** The open proposal of an agent for a new note of this title. */
    openNew,
    /** Stages a proposal, which replaces an earlier one of the same agent for the note; null: there are too many. */
    propose: (proposal: NewProposal): ProposalRow | null => {
      const { author, noteId } = proposal;
      const earlier = openFor(author.id, noteId);
      if (!earlier && !takeRoom(author.id)) {
        return null;
      }
      const row = rowOf(proposal, staging.at);
      if (earlier) {
        replace(earlier, row.id);
      }
      proposedNotes.add(proposal, earlier !== null);
      set(row, proposal.titleKey);
      inserted.add(row.id);
      return row;
    },
    /** What became of a proposal so far; null: it is not known. */
    stateOf,
    /** Stages the end of an open proposal, and returns it as it is stored then; null: it is not known. */
    accept: (id: ProposalId, end: Acceptor): ProposalRow | null => {
      const row = acceptedOf(find(id), end, staging.at);
      if (row) {
        proposedNotes.add(row, true);
        set(row);
        accepted.push({ id, ...end });
      }
      return row;
    },
    changes: (): ProposalChanges => ({
      inserted: [...inserted].flatMap((id) => find(id) ?? []),
      superseded,
      accepted,
      ...proposedNotes.all(),
    }),
  };
};

export type StagedProposals = ReturnType<typeof stageProposals>;

const acceptedOf = (open: ProposalRow | null, end: Acceptor, at: Date): ProposalRow | null =>
  open && { ...open, ...end, state: 'accepted', decidedAt: at };

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
    earlierSources: earlierSourcesOf(proposal),
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

/** What is remembered of the proposals that one continues. */
const sourcesMax = 100;

/** Whose text a proposal continues, and since when, the latest last. */
const earlierSourcesOf = ({ goesOnWith }: NewProposal): EarlierSource[] | null => {
  if (goesOnWith === null) {
    return null;
  }
  const { authorRunId: runId, authorKeyId: keyId, authorConnectionId: connectionId } = goesOnWith;
  const at = goesOnWith.createdAt.toISOString();
  const last = { runId, keyId, connectionId, firstAt: at, lastAt: at };
  const sources = [...(goesOnWith.earlierSources ?? []), last];
  return sources.length <= sourcesMax ? sources : byCredential(sources).slice(-sourcesMax);
};

/** One entry for each credential: of very many edits it is not known any more when each was. */
const byCredential = (sources: readonly EarlierSource[]): EarlierSource[] => {
  const merged = new Map<string, EarlierSource>();
  for (const source of sources) {
    const key = `${source.runId} ${source.keyId} ${source.connectionId}`;
    const { firstAt } = merged.get(key) ?? source;
    merged.delete(key);
    merged.set(key, { ...source, firstAt });
  }
  return [...merged.values()];
};
