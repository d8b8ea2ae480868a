import { startCompletion } from '@codemirror/autocomplete';
import { EditorSelection, type ChangeSpec } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';

/** Puts a mark such as `**` around each selection, or removes it. */
const toggleMark =
  (mark: string): Command =>
  (view) => {
    const { state } = view;
    const { length } = mark;
    const isMarked = (from: number, to: number): boolean =>
      from >= length &&
      state.sliceDoc(from - length, from) === mark &&
      state.sliceDoc(to, to + length) === mark;
    view.dispatch(
      state.changeByRange(({ from, to }) => {
        const shift = isMarked(from, to) ? -length : length;
        const changes: ChangeSpec =
          shift < 0
            ? [
                { from: from - length, to: from },
                { from: to, to: to + length },
              ]
            : [
                { from, insert: mark },
                { from: to, insert: mark },
              ];
        return { changes, range: EditorSelection.range(from + shift, to + shift) };
      }),
      { userEvent: 'input', scrollIntoView: true },
    );
    view.focus();
    return true;
  };

/** What makes a line a heading, a quotation, or an item of a list. */
const linePrefix = /^(?:#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )/;

/** Makes the selected lines start with a prefix, or removes it if all have it. */
const togglePrefix =
  (prefixOf: (index: number) => string): Command =>
  (view) => {
    const lines = selectedLines(view);
    const hasAll = lines.every(({ text }, index) => text.startsWith(prefixOf(index)));
    const changes = view.state.changes(
      lines.map(({ from, text }, index) => ({
        from,
        to: from + (linePrefix.exec(text)?.[0].length ?? 0),
        insert: hasAll ? '' : prefixOf(index),
      })),
    );
    view.dispatch({
      changes,
      // What is typed next comes after the prefix, also on an empty line.
      selection: view.state.selection.map(changes, 1),
      userEvent: 'input',
      scrollIntoView: true,
    });
    view.focus();
    return true;
  };

const selectedLines = ({ state: { doc, selection } }: EditorView) => {
  const [first, last] = [doc.lineAt(selection.main.from), doc.lineAt(selection.main.to)];
  return Array.from({ length: last.number - first.number + 1 }, (_, index) =>
    doc.line(first.number + index),
  );
};

/** Replaces the selection; the cursor is placed, or text selected, within what was inserted. */
const insert =
  (
    textOf: (selected: string) => { readonly text: string; readonly at: readonly [number, number] },
  ) =>
  (view: EditorView): boolean => {
    const { from, to } = view.state.selection.main;
    const { text, at } = textOf(view.state.sliceDoc(from, to));
    view.dispatch({
      changes: { from, to, insert: text },
      selection: EditorSelection.range(from + at[0], from + at[1]),
      userEvent: 'input',
      scrollIntoView: true,
    });
    view.focus();
    return true;
  };

export const strong = toggleMark('**');
export const emphasis = toggleMark('_');
export const code = toggleMark('`');
export const heading = togglePrefix(() => '## ');
export const quotation = togglePrefix(() => '> ');
export const bulletList = togglePrefix(() => '- ');
export const numberedList = togglePrefix((index) => `${index + 1}. `);
export const taskList = togglePrefix(() => '- [ ] ');

/** `[text](https://)`, with the address selected. */
export const insertLink: Command = insert((selected) => {
  const start = selected.length + 3;
  return { text: `[${selected}](https://)`, at: [start, start + 'https://'.length] };
});

/** `[[Title]]`, with the titles that match what is selected. */
export const insertNoteLink: Command = (view) => {
  insert((selected) => {
    const end = selected.length + 2;
    return { text: `[[${selected}]]`, at: [end, end] };
  })(view);
  return startCompletion(view);
};

const emptyTable = '| Column | Column |\n| --- | --- |\n|  |  |\n';

/** A table of two columns on lines of its own. */
export const insertTable: Command = (view) => {
  const line = view.state.doc.lineAt(view.state.selection.main.from);
  const before = line.text === '' ? '' : '\n\n';
  view.dispatch({ selection: { anchor: line.to } });
  return insert(() => {
    const start = before.length + 2;
    return { text: `${before}${emptyTable}`, at: [start, start + 'Column'.length] };
  })(view);
};
