/** A plausible bug, as edits of one or two files of the notes service. */
export type SeededBug = {
  readonly name: string;
  /** What it breaks, in words. */
  readonly breaks: string;
  /** The invariant that it violates. */
  readonly invariant: string;
  /** Each text must occur exactly once, so that a change of the service cannot disarm its bug. */
  readonly edits: readonly { readonly file: string; readonly find: string; readonly put: string }[];
  /** SQL that the bug needs. */
  readonly prepare?: string;
};
