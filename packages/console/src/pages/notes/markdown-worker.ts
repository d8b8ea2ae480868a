import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { answerAsWorker } from '../../app/answer-as-worker.ts';

/** What Markdown is parsed into (https://github.com/syntax-tree/hast). */
type Tree = { readonly children?: readonly Tree[] };

/** Deeper, React and the browser's layout would be at their own limits; nobody reads that either. */
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

/** The tree of a note; null when it is too deep to be shown. */
const treeOf = (text: string): Tree | null => {
  let tree: Tree = {};
  const keep = () => (parsed: object) => {
    tree = parsed;
    // Elements are made where the page is.
    return { type: 'root' as const, children: [] };
  };
  ReactMarkdown({ children: text, remarkPlugins: [remarkGfm], rehypePlugins: [keep] });
  return isTooDeep(tree) ? null : tree;
};

answerAsWorker(treeOf);
