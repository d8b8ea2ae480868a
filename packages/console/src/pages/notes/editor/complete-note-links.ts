import type { CompletionSource } from '@codemirror/autocomplete';

/** A title to link to, and the folder of its note. */
export type FoundTitle = { readonly title: string; readonly folder: string };

/** Finds titles of notes that match what was typed; none if they cannot be loaded. */
export type FindTitles = (typed: string, signal: AbortSignal) => Promise<readonly FoundTitle[]>;

/** Completes `[[` with titles of notes. */
export const completeNoteLinks =
  (findTitles: FindTitles): CompletionSource =>
  async (context) => {
    const typed = context.matchBefore(/\[\[[^[\]|\n]{0,200}/);
    if (!typed) {
      return null;
    }
    const aborting = new AbortController();
    context.addEventListener('abort', () => aborting.abort());
    const titles = await findTitles(typed.text.slice(2).trim(), aborting.signal);
    const isClosed = context.state.sliceDoc(context.pos, context.pos + 2) === ']]';
    return {
      from: typed.from + 2,
      options: titles.map(({ title, folder }) => ({
        label: title,
        detail: folder,
        apply: isClosed ? title : `${title}]]`,
      })),
      // The server has matched them already, with other forms of words.
      filter: false,
    };
  };
