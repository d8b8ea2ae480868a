import { syntaxTree } from '@codemirror/language';
import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const fixedWidth = Decoration.line({ class: 'cm-fixed-width' });

/** Blocks in which columns matter. */
const names = new Set(['Table', 'FencedCode', 'CodeBlock', 'HTMLBlock']);

/** Tables and code have characters of one width; the rest of the text has the font of the console. */
export const fixedWidthLines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = linesOf(view);
    }

    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state)) {
        this.decorations = linesOf(view);
      }
    }
  },
  { decorations: ({ decorations }) => decorations },
);

const linesOf = (view: EditorView): DecorationSet => {
  const { doc } = view.state;
  const builder = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        if (!names.has(node.name)) {
          return;
        }
        const end = Math.min(node.to, to);
        for (let at = Math.max(node.from, from); at <= end;) {
          const line = doc.lineAt(at);
          if (line.from > last) {
            builder.add(line.from, line.from, fixedWidth);
            last = line.from;
          }
          at = line.to + 1;
        }
      },
    });
  }
  return builder.finish();
};
