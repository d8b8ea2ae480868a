import type { ApiClient, ApiResponse, Schema } from '../api-client.ts';
import type { SyncEvent } from './apply-response.ts';
import type { LocalNote, Rejection } from './local-note.ts';
import type { Replica } from './replica.ts';

/** What the synchronisation has received, to which the decisions are added. */
type Report = { readonly events: SyncEvent[]; readonly pulledIds: string[] };

/**
 * Reads the proposals of a replica that may have been decided about. Of an accepted one the server's text is shown in place
 * of the proposed one; of one that ended otherwise the proposed text stays, with the reason.
 */
export type FollowProposals = (
  context: { readonly api: ApiClient; readonly replica: Replica },
  report: Report,
  signal: AbortSignal | undefined,
) => Promise<void>;

/** A rejection changes no note, so that no pull shows it: a replica that stays open looks this often. */
const intervalMs = 10 * 60_000;

/** All are followed when a replica was opened, and at intervals; between, those of notes that changed. */
export const createProposalFollower = (): FollowProposals => {
  let allReadAtMs = Number.NEGATIVE_INFINITY;
  return async ({ api, replica }, report, signal) => {
    const startedAtMs = performance.now();
    const isAll = startedAtMs - allReadAtMs >= intervalMs;
    const pulled = new Set(report.pulledIds);
    const noteIds = new Map<string, string>();
    for (const { id, refusal } of replica.pending()) {
      if (refusal && isUndecided(refusal) && (isAll || pulled.has(id))) {
        noteIds.set(refusal.proposalId, id);
      }
    }
    const ended = await readEnded(api, noteIds, signal);
    // The notes as they are now: they may have been edited meanwhile.
    for (const note of replica.pending()) {
      const proposal = ended.get(note.refusal?.proposalId ?? '');
      const followed = proposal === undefined ? note : follow(note, proposal);
      if (followed !== note) {
        replica.setNote(followed);
        addTo(report, followed);
      }
    }
    allReadAtMs = isAll ? startedAtMs : allReadAtMs;
  };
};

type Proposed = Rejection & { readonly proposalId: string };

/** Stores of earlier versions have no id: their drafts stay until the note is as they say. */
const isUndecided = (refusal: Rejection): refusal is Proposed =>
  refusal.proposalId !== undefined && ['proposed', notFound.code].includes(refusal.code);

const notFound = {
  code: 'proposal_not_found',
  detail: 'The proposal is gone, or this credential may not read it.',
};

type Proposal = Pick<Schema<'Proposal'>, 'state' | 'revision' | 'note' | 'decisionReason'>;

/**
 * What became of proposals, given with their notes, that are open no more; null if there is none. They are read from lists,
 * which have no texts: a large one would not get through a slow connection. After a failure the others are left out, and
 * read again later.
 */
const readEnded = async (
  api: ApiClient,
  noteIds: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<Map<string, Proposal | null>> => {
  const ended = new Map<string, Proposal | null>();
  const left = new Map(noteIds);
  try {
    if (left.size > 0) {
      await findIn(listProposals(api, { state: 'open' }, signal), ({ id }) => {
        left.delete(id);
        return left.size === 0;
      });
    }
    for (const [proposalId, noteId] of left) {
      const proposals = listProposals(api, { noteId }, signal);
      ended.set(proposalId, await findIn(proposals, ({ id }) => id === proposalId));
    }
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
  }
  return ended;
};

const findIn = async <Item>(
  items: AsyncIterable<Item>,
  isWanted: (item: Item) => boolean,
): Promise<Item | null> => {
  for await (const item of items) {
    if (isWanted(item)) {
      return item;
    }
  }
  return null;
};

type Filter = { readonly state: 'open' } | { readonly noteId: string };

/** Newest first, page by page as they are needed. */
const listProposals = async function* (
  api: ApiClient,
  filter: Filter,
  signal: AbortSignal | undefined,
): AsyncGenerator<Schema<'Proposal'>> {
  let cursor: string | null = null;
  do {
    const page: ApiResponse<ProposalPage> = await api.get('/api/notes/proposals', {
      params: { query: { ...filter, ...(cursor === null ? {} : { cursor }) } },
      ...(signal ? { signal } : {}),
    });
    yield* page.data.items;
    cursor = page.data.nextCursor;
  } while (cursor !== null);
};

type ProposalPage = {
  readonly items: readonly Schema<'Proposal'>[];
  readonly nextCursor: string | null;
};

const follow = (note: LocalNote, proposal: Proposal | null): LocalNote => {
  if (proposal?.state === 'open') {
    return note;
  }
  if (proposal?.state === 'accepted') {
    return isPulled(note, proposal) ? { ...note, draft: null, refusal: null } : note;
  }
  const ended = proposal ? endOf(proposal) : notFound;
  return note.refusal?.code === ended.code
    ? note
    : { ...note, refusal: { ...note.refusal, ...ended } };
};

/** Whether the replica has what the proposal became. If not, the pull that brings it follows. */
const isPulled = (note: LocalNote, { revision, note: now }: Proposal): boolean =>
  revision === null ||
  now?.deleted !== false ||
  note.isWithdrawn === true ||
  (note.server?.revision ?? 0) >= revision;

const endOf = ({ state, decisionReason }: Proposal): Rejection => {
  if (state === 'rejected') {
    const reason = decisionReason === null ? '.' : `: ${decisionReason}`;
    return { code: 'proposal_rejected', detail: `The proposal was rejected${reason}` };
  }
  return state === 'expired'
    ? { code: 'proposal_expired', detail: 'The proposal expired before somebody decided about it.' }
    : {
        code: 'proposal_superseded',
        detail: 'A later proposal of the same agent stands in place of this one.',
      };
};

const addTo = ({ events, pulledIds }: Report, { id, refusal, draft, server }: LocalNote): void => {
  if (!refusal || !draft) {
    pulledIds.push(id);
    return;
  }
  const { code, detail } = refusal;
  events.push({
    id,
    status: 'rejected',
    isDeletion: draft.text === null,
    isCreation: draft.text !== null && server === null,
    origin: draft.origin,
    conflictNoteId: null,
    error: { code, detail },
  });
};
