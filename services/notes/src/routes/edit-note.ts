import type { NoteId } from '@commonplace/contracts/core';
import { editNoteContract, type NoteChanges } from '@commonplace/contracts/notes';
import { defineRoute, parseEntityTags, prefersMinimal, reply } from '@commonplace/http';
import { planLinkRename, type PlannedRename } from '../catalog/plan-link-rename.ts';
import { readNoteChanges } from '../context/read-note-changes.ts';
import { mutationKey } from '../rules/mutation-key.ts';
import { keyWith, requestKey } from '../rules/request-key.ts';
import { noPrecondition } from '../rules/precondition.ts';
import { presentEdited } from '../present/present-edited.ts';
import type { EditChange, Outcome } from '../write/change.ts';
import { proposedReply, type ProposingDeps } from '../proposals/proposed-reply.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { writeWithDependents, type SingleWrite } from '../write/write-note.ts';

/** Edits the present note, on the server. */
export const editNoteRoute = (deps: ProposingDeps) =>
  defineRoute(editNoteContract, async ({ params, body, caller, company, header, work }) => {
    const { id } = params;
    const { edits, mutationId, sinceRevision } = body;
    const mutation =
      mutationId === undefined
        ? requestKey({ caller, header }, 'edit')
        : keyWith(mutationKey(caller, `edit:${mutationId}`), header);
    const precondition = { ifMatch: parseEntityTags(header('If-Match')), ifNoneMatch: null };
    const renaming = { reach: company.reach, id, edits, mutation, work };
    const plan = await planLinkRename(deps, renaming);
    const change = { rule: 'edit', id, edits, precondition, mutation, ...renameOf(plan) } as const;
    const dependents = plan?.sources.map((source) => linkEdit(source, plan)) ?? [];
    const { reason } = body;
    const write = { caller, company, work, change, dependents, reason };
    const isMinimal = prefersMinimal(header('Prefer'));
    const written = await writeEdit(deps, write, { sinceRevision, isMinimal });
    const { outcome, since, links } = written;
    const { updated, missed } = links;
    if (outcome.proposal) {
      return proposedReply(deps, { caller, company }, outcome.proposal);
    }
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const changed = {
      ...changesOf(outcome),
      ...(since ? { since } : {}),
      ...(updatesLinks(edits) ? { linksUpdated: updated } : {}),
      ...(missed.length > 0 ? { linksNotUpdated: missed } : {}),
    };
    const isRequested = body.showChanges || sinceRevision !== undefined || updatesLinks(edits);
    const edited = presentEdited(note, isRequested ? changed : null, isMinimal);
    return reply(200, edited.body, edited.headers);
  });

const renameOf = (plan: PlannedRename | null) => (plan ? { linkRename: plan.rename } : {});

/** The links of another note follow, whatever its revision. */
const linkEdit = (id: NoteId, { rename }: PlannedRename): EditChange => ({
  rule: 'edit',
  id,
  edits: [],
  precondition: noPrecondition,
  mutation: null,
  linkRename: rename,
});

const updatesLinks = (edits: EditChange['edits']): boolean =>
  edits.some((edit) => edit.op === 'set' && edit.updateLinks === true);

type Edited = {
  readonly outcome: Outcome;
  readonly since: NoteChanges['since'] | null;
  readonly links: ChangedLinks;
};

type ChangedLinks = {
  /** The notes whose links were changed. */
  readonly updated: NoteId[];
  /** Those for which there was no room, or no access. */
  readonly missed: NoteId[];
};

type Requested = { readonly sinceRevision: number | undefined; readonly isMinimal: boolean };

/** Writes the edit, and reads what others changed since a revision. The written text is not held meanwhile. */
const writeEdit = async (
  deps: ProposingDeps,
  write: SingleWrite,
  { sinceRevision, isMinimal }: Requested,
): Promise<Edited> => {
  const { id } = write.change;
  const isRead = sinceRevision !== undefined;
  const { outcome, links } = await writeBriefly(deps, write, textFor(isMinimal, isRead));
  if (outcome.proposal) {
    return { outcome, since: null, links };
  }
  const to = editedRevision(outcome);
  const range = { reach: write.company.reach, id, from: sinceRevision ?? to, to };
  return { outcome, since: isRead ? await readNoteChanges(deps, range) : null, links };
};

/** What stands for the written text: nothing in a receipt, and null where it is read again. */
const textFor = (isMinimal: boolean, isRead: boolean): '' | null | undefined =>
  isMinimal ? '' : isRead ? null : undefined;

/** Writes the edit. Unless `content` is undefined, it replaces the written text. */
const writeBriefly = async (
  deps: ProposingDeps,
  write: SingleWrite,
  content: '' | null | undefined,
): Promise<Pick<Edited, 'outcome' | 'links'>> => {
  const { outcome, ofDependents } = await writeWithDependents(deps, write);
  const { note } = outcome;
  return {
    outcome: note && content !== undefined ? { ...outcome, note: { ...note, content } } : outcome,
    links: linksOf(write.dependents ?? [], ofDependents),
  };
};

/** The revision that the edit met. */
const editedRevision = ({ status, isReplay, revision }: Outcome): number => {
  const written = revision ?? 1;
  return status === 'applied' || isReplay ? written - 1 : written;
};

const changesOf = ({ places = [], isReplay }: Outcome): Pick<NoteChanges, 'lines'> => ({
  lines: isReplay ? null : [...places],
});

const linksOf = (edits: readonly EditChange[], outcomes: readonly Outcome[]): ChangedLinks => {
  const idsOf = (status: Outcome['status']): NoteId[] =>
    edits.flatMap(({ id }, index) => (outcomes[index]?.status === status ? [id] : []));
  return { updated: idsOf('applied'), missed: idsOf('rejected') };
};
