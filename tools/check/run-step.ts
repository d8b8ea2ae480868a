import { runCommand } from '../run-command.ts';
import type { Step, StepResult } from './step.ts';

/** Runs one check; returns its output for the caller to print on failure. */
export async function runStep({ name, commands }: Step): Promise<StepResult> {
  const startedAtMs = performance.now();
  let output = '';
  let hasPassed = true;
  for (const [program, ...args] of commands) {
    const result = await runCommand(program, args);
    output += result.output;
    if (result.exitCode !== 0) {
      hasPassed = false;
      break;
    }
  }
  return { name, hasPassed, seconds: (performance.now() - startedAtMs) / 1000, output };
}
