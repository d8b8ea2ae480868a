/** A text and its two descendants. */
export type Texts = { readonly base: string; readonly ours: string; readonly theirs: string };
