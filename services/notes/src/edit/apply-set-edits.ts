import { noteInput, type SetEdit } from '@commonplace/contracts/notes';
import type { OtherFields } from '../rules/note-state.ts';
import type { EditFailure, IndexedEdit } from './edit-result.ts';
import { applyMergePatch } from './merge-patch.ts';

/** Applies edits of the fields other than the content, all or none. */
export const applySetEdits = (
  fields: OtherFields,
  edits: readonly IndexedEdit<SetEdit>[],
): { readonly fields: OtherFields } | { readonly failure: EditFailure } => {
  const result = edits.reduce((before, { edit }) => setFields(before, edit), fields);
  for (const name of ['tags', 'properties'] as const) {
    const last = edits.findLast(({ edit }) => edit[name] !== undefined);
    const parsed = last && noteInput.shape[name].safeParse(result[name]);
    if (last && parsed?.success === false) {
      const message = parsed.error.issues[0]?.message ?? 'is not valid';
      return { failure: invalid(`/edits/${last.index}/${name}`, message) };
    }
  }
  return { fields: result };
};

const setFields = (fields: OtherFields, edit: SetEdit): OtherFields => ({
  title: edit.title ?? fields.title,
  folder: edit.folder ?? fields.folder,
  pinned: edit.pinned ?? fields.pinned,
  archived: edit.archived ?? fields.archived,
  tags: edit.tags ? editTags(fields.tags, edit.tags) : fields.tags,
  properties: edit.properties
    ? applyMergePatch(fields.properties, edit.properties)
    : fields.properties,
});

const editTags = (
  tags: readonly string[],
  { add, remove }: NonNullable<SetEdit['tags']>,
): string[] => {
  const removed = new Set(remove);
  return [...new Set([...tags.filter((tag) => !removed.has(tag)), ...add])].toSorted();
};

const invalid = (path: string, message: string): EditFailure => ({
  code: 'validation_failed',
  detail: 'The result of the edits is not valid.',
  errors: [{ path, message }],
});
