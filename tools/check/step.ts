/** One check: commands that run in sequence until one fails. */
export type Step = {
  name: string;
  commands: readonly (readonly [program: string, ...args: string[]])[];
};

/** The result of a step. */
export type StepResult = {
  name: string;
  hasPassed: boolean;
  seconds: number;
  /** The output of the commands, both streams in order. */
  output: string;
};
