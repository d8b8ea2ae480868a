import type { ErrorCode, FieldError } from '@commonplace/contracts/core';
import type { TextEdit } from '@commonplace/contracts/notes';

/** Why an edit cannot be applied. */
export type EditFailure = {
  readonly code: Extract<
    ErrorCode,
    'edit_not_applicable' | 'body_too_large' | 'validation_failed' | 'busy'
  >;
  readonly detail: string;
  /** Extension members of the problem. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
};

/** The content after all edits, or why the first edit that does not fit fails. */
export type EditedText = { readonly content: string } | { readonly failure: EditFailure };

/** An edit, and its index in the request. */
export type IndexedEdit<Edit> = { readonly edit: Edit; readonly index: number };

/** A content and its edits. */
export type TextEdits = {
  readonly content: string;
  readonly edits: readonly IndexedEdit<TextEdit>[];
};

/** Edits texts in a worker thread, one at a time. */
export type EditThread = {
  /** `edited` is null on a timeout, or out of memory. */
  readonly edit: (
    edits: TextEdits,
    msMax: number,
  ) => Promise<{ readonly edited: EditedText | null; readonly ms: number }>;
  /** Resolves when the thread runs, or cannot be started. */
  readonly warmUp: () => Promise<void>;
};
