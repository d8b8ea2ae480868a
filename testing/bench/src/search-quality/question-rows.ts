import type { Row } from '../measurement.ts';
import { isUnbound, type JudgedQuestion } from './question-set.ts';

/** What one way to search found for a question. */
export type Answered = {
  readonly question: JudgedQuestion;
  /** Names of notes, the best first. */
  readonly found: readonly string[];
  /** Of the answer as it is sent. */
  readonly bytes: number;
  /** Whether a passage of the first five notes has a line with the answer; null means there are no passages. */
  readonly isLineShown: boolean | null;
};

const depth = 10;

/** Rows of one way to search: per kind of question, and over all kinds with a target. */
export const questionRows = (
  way: string,
  answered: readonly Answered[],
  reference: readonly Answered[],
): Row[] => {
  const bound = ({ question }: Answered) => !isUnbound(question.kind);
  const kinds = Map.groupBy(answered, ({ question }) => question.kind);
  return [
    ...rowsOf(`${way}, natural questions`, answered.filter(bound), reference.filter(bound)),
    ...[...kinds].flatMap(([kind, of]) =>
      rowsOf(
        `${way}, ${kind}`,
        of,
        reference.filter(({ question }) => question.kind === kind),
      ).map((row) => ({ ...row, target: null })),
    ),
  ];
};

const rowsOf = (
  group: string,
  answered: readonly Answered[],
  reference: readonly Answered[],
): Row[] => {
  const row = (name: string, of: (one: Answered) => number, target: Row['target']): Row => ({
    name: `${name}, ${group} (${answered.length})`,
    unit: '',
    value: mean(answered.map(of)),
    baseline: name.startsWith('R@') || name === 'MRR' ? mean(reference.map(of)) : null,
    target,
  });
  const asReference = { of: 'ratio', is: 'at least', bound: 1 } as const;
  const lines = answered.filter(({ isLineShown }) => isLineShown !== null);
  return [
    row('R@5', recallAt(5), asReference),
    row('R@10', recallAt(depth), null),
    row('MRR', reciprocalRank, asReference),
    row('nothing found', ({ found }) => (found.length === 0 ? 1 : 0), {
      of: 'value',
      is: 'at most',
      bound: 0,
    }),
    ...(lines.length > 0
      ? [
          row('line of the answer in the passages', ({ isLineShown }) => (isLineShown ? 1 : 0), {
            of: 'value',
            is: 'at least',
            bound: 0.75,
          }),
        ]
      : []),
    row('bytes of the answer', ({ bytes }) => bytes, null),
  ];
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const recallAt =
  (count: number) =>
  ({ question, found }: Answered): number =>
    question.notes.filter((note) => found.slice(0, count).includes(note)).length /
    question.notes.length;

const reciprocalRank = ({ question, found }: Answered): number => {
  const first = found.slice(0, depth).findIndex((note) => question.notes.includes(note));
  return first === -1 ? 0 : 1 / (first + 1);
};
