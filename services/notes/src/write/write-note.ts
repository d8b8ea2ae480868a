import { AppError, type Reach } from '@commonplace/contracts/core';
import { assertWritable, isWritable, type CompanyScope, type Work } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Change, EditChange, Outcome, WriteResult } from './change.ts';
import { previewChange, type ChangePreview } from './preview-change.ts';
import type { Deps } from '../deps.ts';
import { authorOf } from '../rules/author-of.ts';
import { presentNote } from '../present/present-note.ts';
import { readWholeNote, type Reading } from '../read/read-whole-note.ts';
import { hasContent, type NoteRow } from '../queries/note-rows.ts';

/** Where a request of a company waits. */
type RequestWork = Work<{
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
}>;

/** A request that writes. */
export type Writing = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
  readonly work: RequestWork;
};

/** As whom a request writes, what it may change, and how its access is checked again when it has waited. */
export const writerOf = ({ caller, company, work }: Writing) => ({
  author: authorOf(caller),
  grants: company.grants,
  recheck: async () => assertWritable(await work.recheck()),
});

export type SingleWrite = Writing & {
  readonly change: Extract<Change, { rule: 'put' | 'delete' | 'edit' | 'resolve' | 'restore' }>;
  /** Edits of other notes, made only if the change is applied. */
  readonly dependents?: readonly EditChange[];
  /** Why something is proposed. */
  readonly reason?: string | undefined;
};

/** Writes one conditional change; returns its outcome. */
export const writeNote = async (...write: Parameters<typeof writeWithDependents>) =>
  (await writeWithDependents(...write)).outcome;

/** Writes one conditional change and those that depend on it. A failed condition (412) takes precedence over the state (409). */
export const writeWithDependents = async (
  deps: Pick<Deps, 'db' | 'writeNotes'>,
  { caller, company, work, change, dependents = [], reason }: SingleWrite,
): Promise<{ readonly outcome: Outcome; readonly ofDependents: readonly Outcome[] }> => {
  const whole = (preview: ChangePreview) =>
    withWhole({ db: deps.db, reader: work }, company.reach, preview);
  // The state of agent and company was checked before a conflict is resolved or a version restored.
  if (change.rule !== 'resolve' && change.rule !== 'restore' && !isWritable({ caller, company })) {
    assertAccepted(
      await whole(
        await previewChange(deps.db, company.reach, { change, authorId: authorOf(caller).id }),
      ),
    );
    assertWritable({ caller, company });
  }
  const request = {
    ...writerOf({ caller, company, work }),
    changes: [change, ...dependents],
    reason,
    hasDependents: true,
  };
  const written = await deps.writeNotes(company.id, request);
  const outcome = singleOutcome(written);
  assertAccepted(await whole(outcome));
  return { outcome, ofDependents: written.outcomes.slice(1) };
};

/** An error response includes the note, whose content the write may not have read. */
const withWhole = async (
  reading: Reading,
  reach: Reach,
  { error, note }: ChangePreview,
): Promise<Rejection> => {
  if (error && note && !hasContent(note)) {
    return { error, note: await readWholeNote(reading, reach, note) };
  }
  return { error, note: note && hasContent(note) ? note : null };
};

type Rejection = Pick<ChangePreview, 'error'> & { readonly note: NoteRow | null };

/** The outcome of the first change of a write, or of its only one. */
export const singleOutcome = ({ outcomes: [outcome] }: WriteResult): Outcome => {
  if (!outcome) {
    throw new Error('A change was written without an outcome');
  }
  return outcome;
};

/** Throws the error of a rejected change; a failed condition includes the current note. */
export const assertAccepted = ({ error, note }: Rejection): void => {
  if (error) {
    const isConditional = error.code === 'precondition_failed' && note?.deletedAt === null;
    const current = isConditional ? { current: presentNote(note) } : {};
    throw new AppError(error.code, error.detail, {
      extensions: { ...error.extensions, ...current },
      ...(error.errors ? { errors: error.errors } : {}),
    });
  }
};
