import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { serveWorker } from '../../../app/workers/serve-worker.ts';
import { markBlockDirections } from './mark-block-directions.ts';
import { markBlockLines } from './mark-block-lines.ts';
import { markTaskLines } from './mark-task-lines.ts';
import { remarkNoteLinks } from './remark-note-links.ts';

/** The syntax tree of Markdown (https://github.com/syntax-tree/hast). */
type Tree = { readonly children?: readonly Tree[] };

/** Deeper trees exceed the limits of React and of the browser's layout. */
const levelsMax = 100;

const isTooDeep = (tree: Tree): boolean => {
  let level: readonly Tree[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levelsMax) {
      return true;
    }
    level = level.flatMap(({ children = [] }) => children);
  }
  return false;
};

/** The syntax tree of a note; null if it is too deep to render. */
const treeOf = (text: string): Tree | null => {
  let tree: Tree = {};
  const keep = () => (parsed: object) => {
    tree = parsed;
    // The page creates the elements.
    return { type: 'root' as const, children: [] };
  };
  ReactMarkdown({
    children: text,
    remarkPlugins: [remarkGfm, remarkNoteLinks],
    rehypePlugins: [markTaskLines, markBlockLines, markBlockDirections, keep],
  });
  return isTooDeep(tree) ? null : tree;
};

serveWorker(treeOf);
