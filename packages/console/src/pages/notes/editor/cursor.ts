import type { EditorView } from '@codemirror/view';

/** The selection in an editor; both ends are offsets in UTF-16 code units. */
export type Cursor = { readonly anchor: number; readonly head: number };

/** Null: the focus is elsewhere. */
export const cursorOf = (view: EditorView | null | undefined): Cursor | null => {
  if (!view?.hasFocus) {
    return null;
  }
  const { anchor, head } = view.state.selection.main;
  return { anchor, head };
};

/** Null: where it is. */
export const placeCursor = (view: EditorView, cursor: Cursor | null): void => {
  if (cursor) {
    const within = (offset: number): number => Math.min(offset, view.state.doc.length);
    const selection = { anchor: within(cursor.anchor), head: within(cursor.head) };
    view.dispatch({ selection, scrollIntoView: true });
  }
  view.focus();
};

let left: { readonly noteId: string; readonly cursor: Cursor | null } | null = null;

/** As an editor is gone whose text another one of the same note is about to show. */
export const leaveCursor = (noteId: string, cursor: Cursor | null): void => {
  left = { noteId, cursor };
};

/** Where the operator wrote in an editor of this note that is just gone; null: in none. */
export const takeCursor = (noteId: string): Cursor | null => {
  const taken = left?.noteId === noteId ? left.cursor : null;
  left = null;
  return taken;
};
