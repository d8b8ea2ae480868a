/** One check: commands that run one after the other, of which the first failing one ends it. */
export type Step = {
  name: string;
  commands: readonly (readonly [program: string, ...args: string[]])[];
};

/** What came of a step. */
export type StepResult = {
  name: string;
  hasPassed: boolean;
  seconds: number;
  /** Everything the commands printed, both streams in their order. */
  output: string;
};
