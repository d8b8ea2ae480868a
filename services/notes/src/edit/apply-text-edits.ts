import { fitsInBytes, noteLimits, type TextEdit } from '@commonplace/contracts/notes';
import type { EditedText, EditFailure, IndexedEdit } from './edit-result.ts';
import { findOccurrences } from './find-occurrences.ts';
import { editAtHeading, type HeadingEdit } from './edit-at-heading.ts';
import type { OutlineOf } from './outline.ts';

/** Applies edits of the content in order, all or none. `outlineOf` is called for edits at headings only. */
export const applyTextEdits = (
  content: string,
  edits: readonly IndexedEdit<TextEdit>[],
  outlineOf: OutlineOf,
): EditedText => {
  let text = content;
  for (const { edit, index } of edits) {
    const edited = applyOne(text, edit, outlineOf);
    if (typeof edited !== 'string') {
      return { failure: { ...edited, extensions: { edit: index, ...edited.extensions } } };
    }
    text = edited;
  }
  return fitsInBytes(text, noteLimits.contentBytesMax) ? { content: text } : { failure: tooLarge };
};

export const isHeadingEdit = (edit: TextEdit): edit is HeadingEdit => 'heading' in edit;

const tooLarge: EditFailure = {
  code: 'body_too_large',
  detail: `The note would be larger than ${noteLimits.contentBytesMax} bytes.`,
};

const applyOne = (text: string, edit: TextEdit, outlineOf: OutlineOf): string | EditFailure => {
  const edited = isHeadingEdit(edit)
    ? editAtHeading(text, edit, outlineOf(text))
    : applyPlain(text, edit);
  return typeof edited === 'string' && edited.length > noteLimits.contentBytesMax
    ? tooLarge
    : edited;
};

const applyPlain = (text: string, edit: Exclude<TextEdit, HeadingEdit>): string | EditFailure => {
  switch (edit.op) {
    case 'append':
      return text + edit.text;
    case 'prepend':
      return edit.text + text;
    case 'replace':
      return replaceAll(text, edit);
  }
};

const replaceAll = (
  text: string,
  edit: Extract<TextEdit, { op: 'replace' }>,
): string | EditFailure => {
  const { find, with: replacement, count } = edit;
  const found = findOccurrences(text, find);
  if (found.length !== count) {
    return {
      code: 'edit_not_applicable',
      detail: `The text occurs ${found.length} times, not ${count}.`,
      extensions: { found: found.length },
    };
  }
  // A short request may name many occurrences: the size is known before the text is built.
  if (text.length + count * (replacement.length - find.length) > noteLimits.contentBytesMax) {
    return tooLarge;
  }
  const parts = found.map((at, index) => {
    const previous = found[index - 1];
    return text.slice(previous === undefined ? 0 : previous + find.length, at);
  });
  const rest = text.slice((found.at(-1) ?? 0) + find.length);
  return [...parts, rest].join(replacement);
};
