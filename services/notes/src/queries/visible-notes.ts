import type { CompanyTx } from '@commonplace/db';

/**
 * A condition on rows that belong to a note but have no folder: the transaction sees the note. Empty where it sees all; the
 * policy on notes does the rest. The parameter $1 is the company.
 */
export const ofVisibleNote = ({ folders }: Pick<CompanyTx, 'folders'>, noteId: string): string =>
  folders === null
    ? ''
    : `and exists (select from notes.notes x where x.company_id = $1 and x.id = ${noteId})`;

/** The name of a statement that has such a condition: a name stands for one text. */
export const nameFor = ({ folders }: Pick<CompanyTx, 'folders'>, name: string): string =>
  folders === null ? name : `${name}-of-visible-notes`;
