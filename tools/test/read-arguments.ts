export interface TestArguments {
  /** With `--changed`, what the work tree is compared with; otherwise null. */
  readonly changedSince: string | null;
  readonly jestArguments: readonly string[];
}

/** Reads the arguments of `pnpm test`; all but `--changed [ref]` are Jest's. */
export function readArguments(given: readonly string[]): TestArguments {
  // pnpm passes `--` on.
  const args = given.filter((argument) => argument !== '--');
  const [first, ref, ...others] = args;
  if (first !== '--changed') {
    return { changedSince: null, jestArguments: args };
  }
  if (others.length > 0 || ref?.startsWith('-')) {
    throw new Error('pnpm test --changed takes one further argument, the ref to compare with.');
  }
  return { changedSince: ref ?? 'main', jestArguments: [] };
}
