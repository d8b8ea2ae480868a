/** A node of the syntax tree of HTML (https://github.com/syntax-tree/hast). */
export type HtmlNode = {
  readonly type: string;
  readonly tagName?: string;
  readonly position?:
    | { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
    | undefined;
  readonly properties?: Record<string, unknown>;
  readonly children?: readonly HtmlNode[];
};

/** A rehype plugin: checkboxes of tasks get the line of their item in the source as `data-task-line`. */
export const markTaskLines = () => (tree: HtmlNode) => {
  // Not recursive: deeply nested text would overflow the stack.
  const open: { readonly node: HtmlNode; readonly line: number | undefined }[] = [
    { node: tree, line: undefined },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const line = node.tagName === 'li' ? node.position?.start.line : next.line;
    if (node.tagName === 'input' && node.properties && line !== undefined) {
      node.properties['dataTaskLine'] = line;
    }
    for (const child of node.children ?? []) {
      open.push({ node: child, line });
    }
  }
};
