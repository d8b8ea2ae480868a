import { stageOf, type Frame } from './stage-of.ts';

/** A profile as V8 gives it: `timeDeltas` are microseconds, one for each of `samples`. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: Frame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

/** Microseconds of processor time by stage, the largest first; what the process waited is left out. */
export const timeByStage = (profile: CpuProfile): ReadonlyMap<string, number> => {
  const stages = stagesOf(profile);
  const times = new Map<string, number>();
  profile.samples.forEach((id, index) => {
    const stage = stages.get(id);
    if (stage !== undefined) {
      times.set(stage, (times.get(stage) ?? 0) + Math.max(0, profile.timeDeltas[index] ?? 0));
    }
  });
  return new Map([...times].toSorted(([, one], [, other]) => other - one));
};

/** The stage of each node; a native function has that of its nearest caller with one. */
const stagesOf = ({ nodes }: CpuProfile): ReadonlyMap<number, string> => {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const found = new Map<number, string>();
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName !== '(idle)' && callFrame.functionName !== '(root)') {
      let at: number | undefined = id;
      let stage: string | null = null;
      while (at !== undefined && stage === null) {
        const frame: Frame | undefined = frames.get(at);
        stage = frame === undefined ? null : stageOf(frame);
        at = parents.get(at);
      }
      found.set(id, stage ?? 'rest');
    }
  }
  return found;
};
