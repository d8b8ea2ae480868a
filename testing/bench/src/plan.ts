import type { BenchProfile, Measurement } from './measurement.ts';
import type { Options } from './options.ts';

/** A measurement, and how long it takes its figures. */
type Planned = { readonly measurement: Measurement; readonly profile: BenchProfile };

/** What to measure, in order. */
export type Plan = {
  readonly wanted: readonly Planned[];
  readonly isStartWanted: boolean;
  readonly isDiskWanted: boolean;
  readonly settleSeconds: number;
};

type Known = {
  readonly regular: readonly Measurement[];
  /** Only those that `--only` names. */
  readonly onRequest: readonly Measurement[];
};

type PlanOptions = Pick<Options, 'only' | 'isQuick' | 'questionsFile'>;

/** Chooses the measurements of a run. */
export const planOf = (options: PlanOptions, { regular, onRequest }: Known): Plan => {
  const { only, isQuick } = options;
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  const profile = profileOf(options);
  const chosen = regular.filter(
    ({ name, isLeftOutWhenQuick = false }) =>
      only.includes(name) || (only.length === 0 && !(isQuick && isLeftOutWhenQuick)),
  );
  const requested = onRequest.filter(({ name }) => only.includes(name));
  return {
    wanted: [
      ...chosen.map((measurement, index) => ({
        measurement,
        profile: index === 0 ? profile : whenWarm(profile),
      })),
      ...requested.map((measurement) => ({ measurement, profile: profileOnRequestOf(options) })),
    ],
    isStartWanted: isWanted('start'),
    isDiskWanted: isWanted('disk'),
    settleSeconds: profile.settleSeconds,
  };
};

const rounds = {
  quick: { rounds: 4, seconds: 1, warmUpRounds: 5, settleSeconds: 12 },
  whole: { rounds: 5, seconds: 3, warmUpRounds: 4, settleSeconds: 15 },
} as const;

/** Chosen so that a quick run takes about ten minutes on an idle machine, and a whole one less than 30. */
const profileOf = ({ isQuick, questionsFile }: PlanOptions): BenchProfile => ({
  isQuick,
  ...rounds[isQuick ? 'quick' : 'whole'],
  questionsFile,
});

const roundsOnRequest = {
  quick: { rounds: 3, seconds: 2, warmUpRounds: 5 },
  whole: { rounds: 5, seconds: 5, warmUpRounds: 4 },
} as const;

/** For measurements that run only with `--only` and have no time to keep within. */
const profileOnRequestOf = (options: PlanOptions): BenchProfile => ({
  ...profileOf(options),
  ...roundsOnRequest[options.isQuick ? 'quick' : 'whole'],
});

/**
 * After other measurements: their load has warmed up the product, and what is new in a measurement (a baseline, a path)
 * takes less.
 */
const whenWarm = (profile: BenchProfile): BenchProfile => ({
  ...profile,
  warmUpRounds: Math.floor(profile.warmUpRounds / 2),
});
