import type { EditorView } from '@codemirror/view';
import { lineOfBlock } from '../markdown/line-of-block.ts';

/** Scrolls the preview to the line that is at the top of the editor. Blocks of the preview have the line of their source. */
export const alignPreview = (view: EditorView, preview: HTMLElement): void => {
  const { scrollTop, scrollHeight, clientHeight } = view.scrollDOM;
  const { top: padding } = view.documentPadding;
  if (scrollTop <= padding) {
    preview.scrollTop = 0;
    return;
  }
  if (scrollTop + clientHeight >= scrollHeight - 1) {
    preview.scrollTop = preview.scrollHeight;
    return;
  }
  const height = scrollTop - padding;
  const block = view.lineBlockAtHeight(height);
  const line = view.state.doc.lineAt(block.from).number + (height - block.top) / block.height;
  preview.scrollTop = topOf(preview, line);
};

/** How far the place of a line, from 1, is from the top of the preview, between the blocks that are around it. */
const topOf = (preview: HTMLElement, line: number): number => {
  const origin = preview.getBoundingClientRect().top - preview.scrollTop;
  let before = { line: 1, top: 0 };
  for (const block of preview.querySelectorAll<HTMLElement>('[data-line]')) {
    const next = {
      line: lineOfBlock(block),
      top: block.getBoundingClientRect().top - origin,
    };
    if (next.line > line) {
      const share = (line - before.line) / (next.line - before.line);
      return before.top + share * (next.top - before.top);
    }
    before = next;
  }
  return before.top;
};
