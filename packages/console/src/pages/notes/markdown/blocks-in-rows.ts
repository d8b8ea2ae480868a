import type { HtmlNode } from './mark-task-lines.ts';

/** The lines of a block in the source, from 1. */
export type BlockLines = { readonly from: number; readonly to: number };

/**
 * The tree of a text with each of its blocks in a `div` of its own, which knows the lines of the block and those of the one
 * before it: there is a place beside each block then. No text makes a `div` by itself.
 */
export const blocksInRows = (tree: HtmlNode): HtmlNode => {
  let last: BlockLines | null = null;
  return {
    ...tree,
    children: (tree.children ?? []).map((block) => {
      const { position } = block;
      if (block.type !== 'element' || !position) {
        return block;
      }
      const lines = { from: position.start.line, to: position.end.line };
      const row = {
        type: 'element',
        tagName: 'div',
        properties: { dataLines: lines, dataLinesBefore: last },
        children: [block],
      };
      last = lines;
      return row;
    }),
  };
};
