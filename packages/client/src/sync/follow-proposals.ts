import type { ApiClient, Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
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

/** All are read when a replica was opened, and at intervals; between, those of notes that changed. */
export const createProposalFollower = (): FollowProposals => {
  let allReadAtMs = Number.NEGATIVE_INFINITY;
  return async ({ api, replica }, report, signal) => {
    const startedAtMs = performance.now();
    const isAll = startedAtMs - allReadAtMs >= intervalMs;
    const pulled = new Set(report.pulledIds);
    for (const { id, refusal } of replica.pending()) {
      if (!refusal || !isUndecided(refusal) || !(isAll || pulled.has(id))) {
        continue;
      }
      const proposal = await findProposal(api, refusal.proposalId, signal);
      const note = replica.find(id);
      // It may have been edited meanwhile.
      const followed = note.refusal === refusal ? follow(note, proposal) : note;
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

/** Returns null if there is none, and 'unknown' if the server did not say: it is read again later. */
const findProposal = async (
  api: ApiClient,
  proposalId: string,
  signal: AbortSignal | undefined,
): Promise<Proposal | null | 'unknown'> => {
  try {
    const { data } = await api.get('/api/notes/proposals/{proposalId}', {
      params: { path: { proposalId } },
      ...(signal ? { signal } : {}),
    });
    return data;
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    return error.code === 'not_found' ? null : 'unknown';
  }
};

const follow = (note: LocalNote, proposal: Proposal | null | 'unknown'): LocalNote => {
  if (proposal === 'unknown' || proposal?.state === 'open') {
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

const addTo = ({ events, pulledIds }: Report, { id, refusal, draft }: LocalNote): void => {
  if (!refusal || !draft) {
    pulledIds.push(id);
    return;
  }
  const { code, detail } = refusal;
  const error = { code, detail };
  events.push({ id, status: 'rejected', origin: draft.origin, conflictNoteId: null, error });
};
