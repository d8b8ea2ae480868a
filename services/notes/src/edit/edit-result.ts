import type { ErrorCode, FieldError } from '@commonplace/contracts/core';
import type { TextEdit } from '@commonplace/contracts/notes';
import type { LinkRename } from '../rules/rename-links.ts';

/** Why an edit cannot be applied. */
export type EditFailure = {
  readonly code: Extract<
    ErrorCode,
    'edit_not_applicable' | 'body_too_large' | 'validation_failed' | 'busy' | 'folder_not_granted'
  >;
  readonly detail: string;
  /** Extension members of the problem. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
};

/** The content after all edits, or why the first edit that does not fit fails. */
export type EditedText =
  | {
      readonly content: string;
      /** The index of the first `insert_after` that put its text before other text of the section. */
      readonly amid?: number;
    }
  | { readonly failure: EditFailure };

/** An edit, and its index in the request. */
export type IndexedEdit<Edit> = { readonly edit: Edit; readonly index: number };

/** An edit of the content, as requested or as it follows from a rename. */
export type ContentEdit = TextEdit | LinkRename;

/** A content and its edits. */
export type TextEdits = {
  readonly content: string;
  readonly edits: readonly IndexedEdit<ContentEdit>[];
};

/** Edits texts in a worker thread, one at a time. `edited` is null on a timeout, or out of memory. */
export type EditThread = (
  edits: TextEdits,
  msMax: number,
) => Promise<{ readonly edited: EditedText | null; readonly ms: number }>;
