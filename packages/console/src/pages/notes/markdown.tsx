import { Text, Typography } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { useWorkerResult } from '../../app/use-worker-result.ts';
import { Fallible } from '../../components/fallible.tsx';
import { PartSkeleton } from '../../components/part-skeleton.tsx';
import { parseMarkdown } from './parse-markdown.ts';

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

/**
 * The content of a note as a page. What takes too long to parse, or is nested too deep, is shown as the
 * text it is: no note keeps its own page from being used.
 */
export const Markdown = ({ children }: { readonly children: string }) => {
  const parse = useCallback(
    (signal: AbortSignal) => parseMarkdown({ input: children, signal }),
    [children],
  );
  const { output, hasFailed } = useWorkerResult(parse);
  if (hasFailed) {
    return <AsText>{children}</AsText>;
  }
  return output === null ? (
    <PartSkeleton />
  ) : (
    <Fallible of={output} fallback={<AsText>{children}</AsText>}>
      <Tree tree={output} />
    </Fallible>
  );
};

const Tree = ({ tree }: { readonly tree: object }) => {
  // Everything react-markdown does after parsing, done to what the worker has parsed.
  const plugins = useMemo(() => [() => () => tree as { type: 'root'; children: [] }], [tree]);
  return (
    <Typography style={{ overflowWrap: 'anywhere' }}>
      <ReactMarkdown rehypePlugins={plugins} components={components}>
        {''}
      </ReactMarkdown>
    </Typography>
  );
};

const AsText = ({ children }: { readonly children: string }) => (
  <>
    <Text c="dimmed" size="sm" mb="sm">
      This note is nested too deep, or too intricate, to be shown as a page. This is its text.
    </Text>
    <Text
      component="pre"
      size="sm"
      m={0}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {children}
    </Text>
  </>
);
