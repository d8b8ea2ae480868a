/** A node of the syntax tree of HTML (https://github.com/syntax-tree/hast). */
export type HtmlNode = {
  readonly type: string;
  readonly tagName?: string;
  /** Of a text. */
  readonly value?: string;
  readonly position?:
    | { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
    | undefined;
  readonly properties?: Record<string, unknown>;
  readonly children?: readonly HtmlNode[];
};

/**
 * A rehype plugin: checkboxes of tasks get the line of their item in the source as `data-task-line`, and the words of the item as
 * `data-task-text`.
 */
export const markTaskLines = () => (tree: HtmlNode) => {
  // Not recursive: deeply nested text would overflow the stack.
  const open: { readonly node: HtmlNode; readonly item: HtmlNode | undefined }[] = [
    { node: tree, item: undefined },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const item = node.tagName === 'li' ? node : next.item;
    const line = item?.position?.start.line;
    if (node.tagName === 'input' && node.properties && item && line !== undefined) {
      node.properties['dataTaskLine'] = line;
      node.properties['dataTaskText'] = wordsOf(item);
    }
    for (const child of node.children ?? []) {
      open.push({ node: child, item });
    }
  }
};

const charactersMax = 200;

/** The beginning of the text of an item, without the lists in it. */
const wordsOf = (item: HtmlNode): string => {
  let text = '';
  const open = [...(item.children ?? [])].toReversed();
  for (let node = open.pop(); node && text.length < charactersMax; node = open.pop()) {
    text += node.value ?? '';
    if (!['ul', 'ol'].includes(node.tagName ?? '')) {
      open.push(...[...(node.children ?? [])].toReversed());
    }
  }
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, charactersMax);
};
