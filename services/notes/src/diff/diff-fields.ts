import { fieldDiff, type FieldDiff, type NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What is compared of a version. */
export type DiffedVersion = NoteFields & { readonly deleted: boolean };

/** The fields that differ, each with its unified diff. */
export const diffFields = (
  before: DiffedVersion,
  after: DiffedVersion,
  context: number,
): FieldDiff[] => {
  const texts = { before: textsOf(before), after: textsOf(after) };
  return fieldDiff.shape.field.options.flatMap((field) => {
    const { text, isTruncated } = unifiedDiff(texts.before[field], texts.after[field], context);
    return text === '' ? [] : [{ field, diff: text, truncated: isTruncated }];
  });
};

/** Each field as lines of text. */
const textsOf = (version: DiffedVersion): Readonly<Record<FieldDiff['field'], string>> => ({
  deleted: `${version.deleted}\n`,
  title: `${version.title}\n`,
  folder: `${version.folder}\n`,
  tags: jsonLines(version.tags),
  pinned: `${version.pinned}\n`,
  archived: `${version.archived}\n`,
  properties: jsonLines(version.properties),
  content: version.content,
});

/** JSON with sorted keys and an entry a line. */
const jsonLines = (value: unknown): string =>
  `${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`;
