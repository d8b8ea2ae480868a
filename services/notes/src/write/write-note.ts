import { AppError } from '@commonplace/contracts/core';
import { readInIndexOrder } from '@commonplace/db';
import { assertWritable, isWritable, type CompanyScope } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Change, Outcome } from './change.ts';
import type { WriteResult } from './note-writer.ts';
import { previewChange, type ChangePreview } from './preview-change.ts';
import type { Deps } from '../deps.ts';
import { authorOf } from '../rules/author-of.ts';
import { presentNote } from '../present/present-note.ts';
import { findNote } from '../queries/notes.ts';
import { hasContent } from '../queries/note-rows.ts';

export type SingleWrite = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
  readonly stillAllowed: () => Promise<Parameters<typeof assertWritable>[0]>;
  readonly change: Extract<Change, { rule: 'put' | 'delete' }>;
};

/** Writes one conditional change. A failed condition (412) takes precedence over the state (409). */
export const writeNote = async (
  deps: Pick<Deps, 'db' | 'write'>,
  { caller, company, stillAllowed, change }: SingleWrite,
): Promise<Outcome> => {
  if (!isWritable({ caller, company })) {
    assertAccepted(await previewChange(deps.db, company.id, change));
    assertWritable({ caller, company });
  }
  const submission = {
    author: authorOf(caller),
    changes: [change],
    stillAllowed: async () => assertWritable(await stillAllowed()),
  };
  const outcome = singleOutcome(await deps.write(company.id, submission));
  assertAccepted(await withWhole(deps, company.id, outcome));
  return outcome;
};

/** An error response includes the note, whose content the write may not have read. */
const withWhole = async (
  { db }: Pick<Deps, 'db'>,
  companyId: CompanyScope['id'],
  { error, note }: Outcome,
): Promise<ChangePreview> =>
  error && note && !hasContent(note)
    ? { error, note: await readInIndexOrder(db, companyId, (tx) => findNote(tx, note.id)) }
    : { error, note: note && hasContent(note) ? note : null };

/** The only outcome of a write of one change. */
export const singleOutcome = ({ outcomes: [outcome] }: WriteResult): Outcome => {
  if (!outcome) {
    throw new Error('A change was written without an outcome');
  }
  return outcome;
};

/** Throws the error of a rejected change; a failed condition includes the current note. */
export const assertAccepted = ({ error, note }: ChangePreview): void => {
  if (error) {
    const isConditional = error.code === 'precondition_failed' && note?.deletedAt === null;
    const extensions = isConditional ? { current: presentNote(note) } : {};
    throw new AppError(error.code, error.detail, { extensions });
  }
};
