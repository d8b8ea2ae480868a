import { wikiLinkParts } from './wiki-link-parts.ts';

/** A node of the syntax tree of Markdown (https://github.com/syntax-tree/mdast). */
export type MarkdownNode = {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly data?: object;
  readonly position?:
    | { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
    | undefined;
  children?: MarkdownNode[];
};

/** Within links there are no other links. */
const withoutLinks = new Set(['link', 'linkReference']);

/**
 * A remark plugin: `[[Title]]` and `[[Title|text]]` become `a` elements with the property `data-note-title`. The
 * page resolves the title. Code has no text nodes, so it stays as it is.
 */
export const remarkNoteLinks = () => (tree: MarkdownNode, file: { readonly value: unknown }) => {
  const source = String(file.value);
  // Not recursive: deeply nested text would overflow the stack.
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.children && !withoutLinks.has(node.type)) {
      node.children = node.children.flatMap((child) =>
        child.type === 'text' ? linked(child, source) : [child],
      );
      open.push(...node.children.filter(({ children }) => children !== undefined));
    }
  }
};

/** The parts of a text node. Its source shows which brackets are escaped. */
const linked = (node: MarkdownNode, source: string): MarkdownNode[] => {
  const { value = '', position } = node;
  const [start, end] = [position?.start.offset, position?.end.offset];
  const parts = wikiLinkParts(
    value,
    start === undefined || end === undefined ? value : source.slice(start, end),
  );
  return parts.every(({ title }) => title === null)
    ? [node]
    : parts.map(({ text, title }) =>
        title === null
          ? { type: 'text', value: text }
          : {
              type: 'noteLink',
              data: { hName: 'a', hProperties: { dataNoteTitle: title } },
              children: [{ type: 'text', value: text }],
            },
      );
};
