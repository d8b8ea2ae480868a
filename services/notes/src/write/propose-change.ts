import { proposalLimits } from '@commonplace/contracts/notes';
import type { StoredNote } from '../queries/note-rows.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import { applied, rejected, unchanged, type Decision } from '../rules/decision.ts';
import { mutationHash } from '../rules/mutation-hash.ts';
import { isActive, isSameNote, noRevision, otherFieldsOf } from '../rules/note-state.ts';
import { modeIn, notGranted, writeScopeOf, withinGrants } from '../rules/within-grants.ts';
import { applyChange, ofAnotherCompany } from './apply-change.ts';
import {
  mutationOf,
  type Change,
  type CreateChange,
  type Outcome,
  type WriteRequest,
} from './change.ts';
import type { BatchState } from './batch-state.ts';
import type { NewProposal } from './staged-proposals.ts';
import { withExisting } from './titled-notes.ts';
import { rejectionOf } from './rejection-of.ts';

type Proposing = {
  readonly change: Change;
  readonly request: WriteRequest;
};

/**
 * Makes a proposal of a change; the note stays as it is. It replaces an earlier open one of the same agent for the note,
 * and edits go on with the text of that.
 */
export const proposeChange = (state: BatchState, { change, request }: Proposing): Outcome => {
  const now = state.stagedNotes.find(change.id);
  if (now === null && state.foreignIds.has(change.id)) {
    return rejectionOf(ofAnotherCompany);
  }
  if (!isProposable(change, now)) {
    return rejectionOf(notProposable);
  }
  if (request.knowsProposals === false) {
    return rejectionOf(proposalsOnly);
  }
  const own = change.rule === 'create' ? proposedAlready(state, change, request) : null;
  if (own) {
    return { ...proposed(state, change, own), isProposedAlready: true };
  }
  const { grants = null } = request;
  const earlier = state.proposals.openFor(request.author.id, change.id);
  // Another credential of the agent may have proposed to move the note: what it says there stays hidden, and open.
  if (earlier && modeIn(grants, [earlier.folder], writeScopeOf(now, change)) === null) {
    return rejectionOf(notGranted);
  }
  const decision = withinGrants(grants, decide(state, { change, request, now, earlier }), {
    scope: () => writeScopeOf(now, change),
    mode: 'propose',
  });
  const fields = decision.next?.fields ?? null;
  if (fields === null) {
    if (change.rule === 'edit' && earlier && decision.status === 'unchanged') {
      return proposed(state, change, earlier);
    }
    const outcome = outcomeOf(decision, now);
    return change.rule === 'create' ? withExisting(state.titledNotes, change, outcome) : outcome;
  }
  const proposing = {
    noteId: change.id,
    proposalOf: now?.id ?? null,
    baseRevision: baseRevisionOf(change, now, earlier),
    fields,
    author: request.author,
    reason: request.reason ?? null,
    goesOnWith: goesOn(change, earlier) ? earlier : null,
    titleKey: change.rule === 'create' ? state.titledNotes.titleKeyOf(change) : null,
  };
  const same = earlier && isSameProposal(state, earlier, proposing) ? earlier : null;
  const proposal = same ?? state.proposals.propose(proposing);
  return proposal ? proposed(state, change, proposal) : rejectionOf(tooMany);
};

const notProposable = rejected(
  'proposal_not_possible',
  'Changes here are proposals, and this one cannot be: it deletes, restores, resolves a conflict or changes links of others.',
);
const proposalsOnly = rejected(
  'proposals_only',
  'Changes here are proposals. Say with `proposals` that the client knows them.',
);
const tooMany = rejected(
  'proposal_limit',
  `There are ${proposalLimits.agentMax} open proposals of this agent, or ${proposalLimits.companyMax.toLocaleString('en')} of the company.`,
);

/** A proposal says what one active or new note would be. */
const isProposable = (change: Change, now: StoredNote | null): boolean => {
  switch (change.rule) {
    case 'put':
    case 'sync_put':
      return now === null || isActive(now);
    case 'edit':
      return change.linkRename === undefined;
    case 'create':
      return true;
    default:
      return false;
  }
};

/** What the sender of a creation has proposed for this title, if it wants no second note of one. */
const proposedAlready = (
  { titledNotes, proposals }: BatchState,
  change: CreateChange,
  { author }: WriteRequest,
): ProposalRow | null =>
  change.ifTitleExists === 'return' && titledNotes.find(change) === null
    ? proposals.openNew(author.id, {
        folder: change.fields.folder,
        titleKey: titledNotes.titleKeyOf(change),
      })
    : null;

type Deciding = Proposing & {
  readonly now: StoredNote | null;
  readonly earlier: ProposalRow | null;
};

const decide = (state: BatchState, { change, request, now, earlier }: Deciding): Decision => {
  if (change.rule === 'sync_put') {
    // Merged when it is accepted, with what is there then.
    return isActive(now) && isSameNote(now, change.fields)
      ? unchanged
      : applied('applied', { fields: change.fields, revision: 1 });
  }
  const isContinued = goesOn(change, earlier);
  return applyChange(isContinued ? proposedNote(state, now, earlier) : now, state, {
    change,
    base: { revision: null, fields: null },
    request,
    earlier: isContinued ? earlier : null,
  });
};

/** Whether a change is made of the text of an earlier proposal. */
const goesOn = (change: Change, earlier: ProposalRow | null): earlier is ProposalRow =>
  change.rule === 'edit' && earlier !== null && earlier.content !== null;

/** The note as an earlier proposal would make it, at its present revision; a new note has none yet. */
const proposedNote = (
  { companyId }: BatchState,
  now: StoredNote | null,
  row: ProposalRow,
): StoredNote | null => {
  const fields = { ...otherFieldsOf(row), content: row.content };
  if (now !== null || row.proposalOf !== null) {
    return now && { ...now, ...fields };
  }
  const { noteId: id, size, snippet, createdAt, authorKind, authorId, authorRunId } = row;
  return {
    ...fields,
    id,
    companyId,
    revision: noRevision,
    changeNo: 0,
    size,
    snippet,
    conflictOf: null,
    createdAt,
    createdByKind: authorKind,
    createdById: authorId,
    createdByRunId: authorRunId,
    updatedAt: createdAt,
    updatedByKind: authorKind,
    updatedById: authorId,
    updatedByRunId: authorRunId,
    deletedAt: null,
    sentBy: null,
  };
};

/** Whether an earlier proposal says the same of the same version. */
const isSameProposal = (
  { proposals }: BatchState,
  earlier: ProposalRow,
  { noteId, baseRevision, fields, reason }: NewProposal,
): boolean =>
  proposals.stateOf(earlier.id) === 'open' &&
  earlier.baseRevision === baseRevision &&
  (reason === null || reason === earlier.reason) &&
  earlier.fieldsHash === mutationHash(noteId, fields);

/**
 * The version that a proposal changes: of an edit that goes on, that of the earlier proposal. Null: none that is known. A
 * revision that the note does not have yet is not one, whatever is written until the proposal is accepted.
 */
const baseRevisionOf = (
  change: Change,
  now: StoredNote | null,
  earlier: ProposalRow | null,
): number | null => {
  if (change.rule === 'edit' && earlier) {
    return earlier.baseRevision;
  }
  if (now === null) {
    return null;
  }
  if (change.rule !== 'sync_put') {
    return now.revision;
  }
  const { baseRevision } = change;
  return baseRevision !== null && baseRevision <= now.revision ? baseRevision : null;
};

const outcomeOf = ({ status, error }: Decision, now: StoredNote | null): Outcome => ({
  status,
  revision: status === 'rejected' ? null : (now?.revision ?? null),
  note: now,
  wasActive: isActive(now),
  conflictNoteId: null,
  isReplay: false,
  error,
});

const proposed = ({ mutations }: BatchState, change: Change, proposal: ProposalRow): Outcome => {
  const outcome: Outcome = {
    status: 'proposed',
    revision: null,
    note: null,
    wasActive: false,
    conflictNoteId: null,
    isReplay: false,
    proposal,
    error: null,
  };
  if (mutationOf(change)) {
    mutations.record(change, outcome);
  }
  return outcome;
};
