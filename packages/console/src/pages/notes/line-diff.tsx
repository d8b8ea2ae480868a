import { Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useWorkerResult } from '../../app/use-worker-result.ts';
import { PartSkeleton } from '../../components/part-skeleton.tsx';
import { diffInWorker } from './diff-in-worker.ts';
import { diffLines, type DiffPart } from './diff-lines.ts';
import classes from './line-diff.module.css';

type LineDiffProps = {
  readonly before: string;
  readonly after: string;
  /** What a screen reader calls it. */
  readonly label: string;
};

/** So many changed lines are found in no time; the effort grows with their square. */
const changesMaxInPage = 300;

/** The difference of two texts by lines. Where the texts have little in common, a worker compares them. */
export const LineDiff = ({ before, after, label }: LineDiffProps) => {
  const parts = useMemo(
    () => diffLines(before, after, { maxEditLength: changesMaxInPage }),
    [before, after],
  );
  return parts ? (
    <Parts parts={parts} label={label} />
  ) : (
    <LargeDiff before={before} after={after} label={label} />
  );
};

const LargeDiff = ({ before, after, label }: LineDiffProps) => {
  const compare = useCallback(
    (signal: AbortSignal) => diffInWorker({ input: { before, after }, signal }),
    [before, after],
  );
  const { output, isPending } = useWorkerResult(compare);
  if (isPending) {
    return <PartSkeleton />;
  }
  return output ? (
    <Parts parts={output} label={label} />
  ) : (
    <>
      <Text size="sm" c="dimmed">
        These texts are too different to be compared line by line: all of the old one, then all of
        the new one.
      </Text>
      <Parts parts={replaced(before, after)} label={label} />
    </>
  );
};

const replaced = (before: string, after: string): readonly DiffPart[] => [
  { value: before, added: false, removed: true },
  { value: after, added: true, removed: false },
];

type PartsProps = { readonly parts: readonly DiffPart[]; readonly label: string };

/** Signs say what colours say. */
const Parts = ({ parts, label }: PartsProps) => (
  <pre className={classes['diff']} tabIndex={0} aria-label={label}>
    {parts.map(({ added, removed, value }, index) => {
      const sign = added ? '+' : removed ? '-' : ' ';
      const lines = value.replace(/\n$/, '').split('\n');
      return (
        // The parts of a difference have no names but their places.
        <span
          key={`${index} ${sign}`}
          className={added ? classes['added'] : removed ? classes['removed'] : undefined}
        >
          {lines.map((line) => `${sign} ${line}\n`).join('')}
        </span>
      );
    })}
  </pre>
);
