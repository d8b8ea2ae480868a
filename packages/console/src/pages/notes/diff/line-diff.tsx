import { Text } from '@mantine/core';
import { Fragment, useCallback, useMemo } from 'react';
import { useWorkerResult } from '../../../app/workers/use-worker-result.ts';
import { explainNoResult } from '../../../app/workers/worker-error.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { diffInWorker } from './diff-in-worker.ts';
import { diffLines, type DiffPart } from './diff-lines.ts';
import { withChangedWords } from './diff-words.ts';
import classes from './line-diff.module.css';

type LineDiffProps = {
  readonly before: string;
  readonly after: string;
  /** The accessible name. */
  readonly label: string;
  /** Prose has long lines, and the words that change may be at their ends. */
  readonly isWrapped?: boolean;
};

/** This many changed lines are found quickly; the effort grows with their square. */
const changesMaxInPage = 300;

/** The difference of two texts by lines. Texts with little in common are compared in a worker. */
export const LineDiff = ({ before, after, ...look }: LineDiffProps) => {
  const parts = useMemo(
    () => diffLines(before, after, { maxEditLength: changesMaxInPage }),
    [before, after],
  );
  return parts ? (
    <Parts parts={parts} {...look} />
  ) : (
    <LargeDiff before={before} after={after} {...look} />
  );
};

const LargeDiff = ({ before, after, ...look }: LineDiffProps) => {
  const compare = useCallback(
    (signal: AbortSignal) => diffInWorker({ input: { before, after }, signal }),
    [before, after],
  );
  const { output, isPending, error, retry } = useWorkerResult(compare);
  if (isPending) {
    return <SectionSkeleton />;
  }
  return output ? (
    <Parts parts={output} {...look} />
  ) : (
    <>
      {error ? (
        <ErrorAlert error={error} onRetry={retry} hint={oldFirst}>
          {explainNoResult(error, 'These texts could not be compared line by line')}
        </ErrorAlert>
      ) : (
        <Text size="sm" c="dimmed">
          These texts are too different to compare line by line. {oldFirst}
        </Text>
      )}
      <Parts parts={replaced(before, after)} {...look} />
    </>
  );
};

const oldFirst = 'The old text comes first, then the new one.';

const replaced = (before: string, after: string): readonly DiffPart[] => [
  { value: before, added: false, removed: true },
  { value: after, added: true, removed: false },
];

type PartsProps = Pick<LineDiffProps, 'label' | 'isWrapped'> & {
  readonly parts: readonly DiffPart[];
};

/** The signs carry the meaning of the colours, and `mark` that of changed words. */
const Parts = ({ parts, label, isWrapped = false }: PartsProps) => (
  <pre
    className={`${classes['diff']} ${isWrapped ? classes['wrapped'] : ''}`}
    tabIndex={0}
    role="group"
    aria-label={label}
  >
    <span className={classes['lines']}>
      {withChangedWords(parts).map(({ sign, lines }, index) => (
        // Parts have no identity besides their position.
        <span key={`${index} ${sign}`} className={classOf(sign)}>
          {lines.map((pieces, line) => (
            <Fragment key={line}>
              {`${sign} `}
              {pieces.map(({ text, isChanged }, place) =>
                isChanged ? <mark key={place}>{text}</mark> : text,
              )}
              {'\n'}
            </Fragment>
          ))}
        </span>
      ))}
    </span>
  </pre>
);

const classOf = (sign: string): string | undefined =>
  sign === '+' ? classes['added'] : sign === '-' ? classes['removed'] : undefined;
