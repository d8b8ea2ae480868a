import type { HtmlNode } from './mark-task-lines.ts';

/** A rehype plugin: blocks and items of lists get their line in the source as `data-line`. */
export const markBlockLines = () => (tree: HtmlNode) => {
  for (const node of tree.children ?? []) {
    mark(node);
    const isList = node.tagName === 'ul' || node.tagName === 'ol';
    for (const item of isList ? (node.children ?? []) : []) {
      mark(item);
    }
  }
};

const mark = ({ properties, position }: HtmlNode): void => {
  if (properties && position) {
    properties['dataLine'] = position.start.line;
  }
};
