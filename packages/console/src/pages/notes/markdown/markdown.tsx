import { Text, Typography } from '@mantine/core';
import { use, useCallback, useContext, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { useWorkerResult } from '../../../app/workers/use-worker-result.ts';
import { explainNoResult } from '../../../app/workers/worker-error.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ErrorBoundary } from '../../../components/error-boundary.tsx';
import { newTab } from '../../../components/new-tab.ts';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { BlockRow, FirstLineContext, NoteAuthorsContext } from './block-authors.tsx';
import { blocksInRows } from './blocks-in-rows.ts';
import type { HtmlNode } from './mark-task-lines.ts';
import classes from './markdown.module.css';
import { NoteImage } from './note-image.tsx';
import { NoteLink } from './note-link.tsx';
import { MarkdownPieces, PieceText } from './markdown-pieces.tsx';
import { parseMarkdown, parsePiece } from './parse-markdown.ts';
import { noteIdOfHref } from './resolve-note-link.ts';
import { TaskToggle } from './task-toggle.ts';

/** Below the heading of the page, for screen readers; nothing looks other. */
const headings: Components = {
  h1: ({ node: _node, ...props }) => <h1 aria-level={2} {...props} />,
  h2: ({ node: _node, ...props }) => <h2 aria-level={3} {...props} />,
  h3: ({ node: _node, ...props }) => <h3 aria-level={4} {...props} />,
  h4: ({ node: _node, ...props }) => <h4 aria-level={5} {...props} />,
  h5: ({ node: _node, ...props }) => <h5 aria-level={6} {...props} />,
};

/**
 * Note content is untrusted: HTML stays text, links use http(s) or mailto only, and images of other
 * servers are links unless the operator chose otherwise.
 */
const components: Components = {
  div: ({ node, children }) => <BlockRow row={node?.properties ?? {}}>{children}</BlockRow>,
  a: ({ node, href, children }) => {
    const title = node?.properties['dataNoteTitle'];
    const written = typeof title === 'string' ? title : noteIdOfHref(href);
    return written === null ? (
      <a href={href} {...newTab} rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <NoteLink written={written}>{children}</NoteLink>
    );
  },
  input: ({ checked, node }) => (
    <TaskCheckbox
      isChecked={checked === true}
      line={node?.properties['dataTaskLine']}
      text={node?.properties['dataTaskText']}
    />
  ),
  ...headings,
  // It scrolls, also by keyboard, where its words do not fit.
  table: ({ node: _node, ...props }) => (
    <div
      className={`mantine-focus-auto ${classes['table']}`}
      role="group"
      aria-label="Table"
      tabIndex={0}
    >
      <table {...props} />
    </div>
  ),
  img: ({ src, alt }) => <NoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  // Long lines scroll within the block, so it has to be focusable.
  pre: ({ children, node }) => (
    <pre
      tabIndex={0}
      role="region"
      aria-label="Code"
      dir="ltr"
      data-line={node?.properties['dataLine']}
      data-last-line={node?.properties['dataLastLine']}
    >
      {children}
    </pre>
  ),
};

type TaskCheckboxProps = {
  readonly isChecked: boolean;
  readonly line: unknown;
  /** The words of the task. */
  readonly text: unknown;
};

/** The checkbox of a task has no label of its own. */
const TaskCheckbox = ({ isChecked, line, text }: TaskCheckboxProps) => {
  const toggle = useContext(TaskToggle);
  const isEnabled = toggle !== null && typeof line === 'number';
  return (
    <input
      type="checkbox"
      checked={isChecked}
      disabled={!isEnabled}
      aria-label={`${isChecked ? 'Done' : 'To do'}${typeof text === 'string' ? `: ${text}` : ''}`}
      onChange={() => isEnabled && toggle(line)}
    />
  );
};

/** Longer contents are rendered in pieces, as one scrolls. */
const charactersMax = 48_000;

/**
 * Renders the content of a note. Content that takes too long to parse, or is nested too deep, is displayed
 * as plain text, so that every note can be opened.
 */
export const Markdown = ({ children }: { readonly children: string }) =>
  children.length > charactersMax ? (
    <MarkdownPieces text={children} render={renderPiece} />
  ) : (
    <WholeMarkdown>{children}</WholeMarkdown>
  );

const renderPiece = (text: string, firstLine: number) => (
  <WholeMarkdown firstLine={firstLine}>{text}</WholeMarkdown>
);

type WholeProps = {
  readonly children: string;
  /** Of a piece: the line of the note where it begins, from 0. */
  readonly firstLine?: number;
};

const WholeMarkdown = ({ children, firstLine }: WholeProps) => {
  const isPiece = firstLine !== undefined;
  const parse = useCallback(
    (signal: AbortSignal) => (isPiece ? parsePiece : parseMarkdown)({ input: children, signal }),
    [children, isPiece],
  );
  const { output, isPending, isWithout, error, retry } = useWorkerResult(parse);
  const toggleOfNote = useContext(TaskToggle);
  const toggle = useMemo(
    () => toggleOfNote && ((line: number) => toggleOfNote(line + (firstLine ?? 0))),
    [toggleOfNote, firstLine],
  );
  if (error) {
    return (
      <>
        <ErrorAlert error={error} onRetry={retry} hint={plainInstead}>
          {explainNoResult(error, 'This note could not be rendered')}
        </ErrorAlert>
        <Plain>{children}</Plain>
      </>
    );
  }
  if (isWithout) {
    return <PlainText>{children}</PlainText>;
  }
  if (output === null && isPiece) {
    return <PieceText>{children}</PieceText>;
  }
  return output === null ? (
    <SectionSkeleton />
  ) : (
    <ErrorBoundary resetKey={output} fallback={<PlainText>{children}</PlainText>}>
      {/* The lines of an older tree may be those of other tasks by now. */}
      <TaskToggle value={isPending ? null : toggle}>
        <FirstLineContext value={firstLine ?? 0}>
          <Tree tree={output} />
        </FirstLineContext>
      </TaskToggle>
    </ErrorBoundary>
  );
};

const Tree = ({ tree }: { readonly tree: object }) => {
  const isInRows = use(NoteAuthorsContext) !== null;
  // Applies what react-markdown does after parsing to the tree from the worker.
  const plugins = useMemo(() => {
    const shown = isInRows ? blocksInRows(tree as HtmlNode) : tree;
    return [() => () => shown as { type: 'root'; children: [] }];
  }, [tree, isInRows]);
  return (
    <Typography className={classes['text']}>
      <ReactMarkdown rehypePlugins={plugins} components={components}>
        {''}
      </ReactMarkdown>
    </Typography>
  );
};

const plainInstead = 'Its plain text is shown instead.';

const PlainText = ({ children }: { readonly children: string }) => (
  <>
    <Text c="dimmed" size="sm" mb="sm">
      This note is too complex to render. {plainInstead}
    </Text>
    <Plain>{children}</Plain>
  </>
);

const Plain = ({ children }: { readonly children: string }) => (
  <Text
    component="pre"
    data-line={1}
    data-last-line={children.split('\n').length}
    size="sm"
    m={0}
    style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
  >
    {children}
  </Text>
);
