import { Typography } from '@mantine/core';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/**
 * Notes are written by programs and strangers: HTML in them stays text, links lead out by http(s) or
 * mailto only, and pictures are links, because fetching them would tell others who reads what.
 */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // The box of a task has no words of its own.
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? 'done' : 'to do'} />
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer">
      {alt === undefined || alt === '' ? 'picture' : alt}
    </a>
  ),
  // Long lines scroll within the box, so the keyboard has to get there.
  pre: ({ children }) => (
    <pre tabIndex={0} role="region" aria-label="Code">
      {children}
    </pre>
  ),
};

/** The content of a note as a page. */
export const Markdown = ({ children }: { readonly children: string }) => (
  <Typography style={{ overflowWrap: 'anywhere' }}>
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
      {children}
    </ReactMarkdown>
  </Typography>
);
