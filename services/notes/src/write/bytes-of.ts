import type { SubmittedChange, WriteRequest } from './change.ts';

/** Approximate bytes of a request's content, for the limits of queue and batch. */
export const bytesOf = ({ changes }: Pick<WriteRequest, 'changes'>): number =>
  changes.reduce((sum, change) => sum + bytesOfChange(change), 0);

const bytesOfChange = (change: SubmittedChange): number => {
  if (change.rule === 'put' || change.rule === 'create') {
    return change.fields.content.length;
  }
  if (change.rule === 'undo') {
    return change.prepared.fields?.content.length ?? 0;
  }
  if (change.rule === 'resolve') {
    return lengthOf(change.resolution);
  }
  if (change.rule === 'edit') {
    return change.edits.reduce((sum, edit) => sum + lengthOf(edit), 0);
  }
  return change.rule === 'unparsed_put' ? lengthOf(change.note) : 0;
};

/** Approximate bytes of an unvalidated note. Any of its fields may be large. */
const lengthOf = (note: unknown): number =>
  typeof note === 'object' && note !== null
    ? Object.values(note).reduce<number>((sum, field) => sum + lengthOfField(field), 0)
    : lengthOfField(note);

const lengthOfField = (field: unknown): number =>
  typeof field === 'string' ? field.length : JSON.stringify(field).length;
