import type { HtmlNode } from './mark-task-lines.ts';

/** Elements that have blocks in them, and those that are blocks. */
const containers = new Set(['ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody']);
const blocks = new Set(['p', 'pre', 'tr', ...containers]);

/**
 * A rehype plugin: blocks, those within quotes, items of lists and rows of tables get their lines in the source as `data-line` and
 * `data-last-line`.
 */
export const markBlockLines = () => (tree: HtmlNode) => {
  const open = [...(tree.children ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    mark(node);
    if (containers.has(node.tagName ?? '')) {
      open.push(...(node.children ?? []).filter(({ tagName = '' }) => blocks.has(tagName)));
    }
  }
};

const mark = ({ properties, position }: HtmlNode): void => {
  if (properties && position) {
    properties['dataLine'] = position.start.line;
    properties['dataLastLine'] = position.end.line;
  }
};
