import type { Tally } from './folder.ts';

/** What a look did, as lines for people; one line when there was nothing to do. */
export const describeTally = (tally: Tally): string[] => {
  const { sent, received, merged, moved } = tally;
  const parts = [
    told('sent', sent),
    told('received', received),
    ...(moved > 0 ? [`${moved} moved`] : []),
    ...(merged > 0 ? [`${merged} merged`] : []),
  ].filter(Boolean);
  return [
    parts.length > 0 ? parts.join('; ') : 'nothing to do',
    ...tally.conflicts.map(
      (path) => `conflict: ${path} changed on both sides; what you wrote is in a file beside it`,
    ),
    ...tally.problems.map(({ path, problem }) => `left alone: ${path}: ${problem}`),
    ...tally.missing.map((path) => `came back: ${path} was gone; with --delete its note goes too`),
  ];
};

/** Whether a look did anything worth a line. */
export const isWorthTelling = (tally: Tally): boolean =>
  describeTally({ ...tally, problems: [] })[0] !== 'nothing to do' ||
  tally.conflicts.length + tally.missing.length > 0;

const told = (verb: string, counts: Tally['sent']): string => {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0
    ? ''
    : `${verb} ${some.map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
};
