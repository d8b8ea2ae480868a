import type { TextEdit } from '@commonplace/contracts/notes';
import { fitsInBytes, noteLimits } from '@commonplace/contracts/note-limits';
import { renameLinks } from '../rules/rename-links.ts';
import type { ContentEdit, EditedText, EditFailure, IndexedEdit } from './edit-result.ts';
import { editCost } from './edit-cost.ts';
import { isTerminated } from './section-text.ts';
import { findOccurrences, isQuicklyFound } from './find-occurrences.ts';
import { editAtHeading, type HeadingEdit, type PlacedText } from './edit-at-heading.ts';
import type { OutlineOf } from './outline.ts';

/** The edits cost more than allowed; nothing is known of their result. */
export const tooCostly = Symbol('too costly');

export type EditOptions = {
  /** Called for edits at headings only. */
  readonly outlineOf: OutlineOf;
  /** See `editCost`. Measured before each edit, by the text as the edits before it have left it. */
  readonly costMax: number;
};

/** Applies edits of the content in order, all or none. */
export const applyTextEdits = (
  content: string,
  edits: readonly IndexedEdit<ContentEdit>[],
  { outlineOf, costMax }: EditOptions,
): EditedText | typeof tooCostly => {
  let text = content;
  let cost = 0;
  let amid: number | undefined;
  for (const { edit, index } of edits) {
    cost += editCost(text, edit);
    if (cost > costMax) {
      return tooCostly;
    }
    const edited = applyOne(text, edit, outlineOf);
    if ('code' in edited) {
      return { failure: { ...edited, extensions: { edit: index, ...edited.extensions } } };
    }
    text = edited.text;
    amid ??= edited.isAmid ? index : undefined;
  }
  return fitsInBytes(text, noteLimits.contentBytesMax)
    ? { content: text, ...(amid === undefined ? {} : { amid }) }
    : { failure: tooLarge };
};

const isHeadingEdit = (edit: ContentEdit): edit is HeadingEdit => 'heading' in edit;

const tooLarge: EditFailure = {
  code: 'body_too_large',
  detail: `The note would be larger than ${noteLimits.contentBytesMax} bytes.`,
};

const applyOne = (
  text: string,
  edit: ContentEdit,
  outlineOf: OutlineOf,
): PlacedText | EditFailure => {
  const edited = isHeadingEdit(edit)
    ? editAtHeading(text, edit, outlineOf(text))
    : applyPlain(text, edit);
  if (typeof edited === 'string') {
    return edited.length > noteLimits.contentBytesMax ? tooLarge : { text: edited, isAmid: false };
  }
  return 'text' in edited && edited.text.length > noteLimits.contentBytesMax ? tooLarge : edited;
};

const applyPlain = (
  text: string,
  edit: Exclude<ContentEdit, HeadingEdit>,
): string | EditFailure => {
  switch (edit.op) {
    case 'append':
      return edit.onOwnLines ? onOwnLines(text) + edit.text : text + edit.text;
    case 'prepend':
      return edit.onOwnLines && text !== '' ? onOwnLines(edit.text) + text : edit.text + text;
    case 'replace':
      return replaceAll(text, edit);
    case 'rename_links':
      return renameLinks(text, edit, noteLimits.contentBytesMax) ?? tooLarge;
  }
};

/** The text with a line break at its end, unless it is empty or has one. */
const onOwnLines = (text: string): string =>
  text === '' || isTerminated(text) ? text : `${text}\n`;

const replaceAll = (
  text: string,
  edit: Extract<TextEdit, { op: 'replace' }>,
): string | EditFailure => {
  const { find, with: replacement, count } = edit;
  const found = splitAt(text, find);
  if (found.count !== count) {
    return {
      code: 'edit_not_applicable',
      detail: `The text occurs ${found.count} times, not ${count}.`,
      extensions: { found: found.count },
    };
  }
  // A short request may name many occurrences: the size is known before the text is built.
  if (text.length + count * (replacement.length - find.length) > noteLimits.contentBytesMax) {
    return tooLarge;
  }
  return found.parts.join(replacement);
};

/** The parts of a text between the occurrences of another one. */
const splitAt = (
  text: string,
  find: string,
): { readonly count: number; readonly parts: readonly string[] } => {
  if (isQuicklyFound(text, find)) {
    const parts = text.split(find);
    return { count: parts.length - 1, parts };
  }
  const found = findOccurrences(text, find);
  const starts = [0, ...found.map((at) => at + find.length)];
  const parts = starts.map((start, index) => text.slice(start, found[index] ?? text.length));
  return { count: found.length, parts };
};
