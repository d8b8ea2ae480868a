import type { HtmlNode } from './mark-task-lines.ts';

/**
 * A rehype plugin: each block has the direction of its own first letters, and begins at the side of that direction. Code is
 * written from left to right, whatever the words around it.
 */
export const markBlockDirections = () => (tree: HtmlNode) => {
  for (const { tagName, properties } of tree.children ?? []) {
    if (properties) {
      properties['dir'] = tagName === 'pre' ? 'ltr' : 'auto';
    }
  }
};
