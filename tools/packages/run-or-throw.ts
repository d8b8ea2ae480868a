import { runCommand } from '../run-command.ts';

/** Runs a program of the workspace in a folder. Throws with its output if it fails. */
export const runOrThrow = async (
  program: string,
  args: readonly string[],
  folder: string,
): Promise<void> => {
  const { exitCode, output } = await runCommand(program, args, { folder });
  if (exitCode !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output}`);
  }
};
