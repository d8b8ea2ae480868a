import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import { runCommand } from '../run-command.ts';
import type { Step, StepResult } from './step.ts';

/** Runs one check and keeps what it prints, for the caller to show when it failed. */
export async function runStep(step: Step): Promise<StepResult> {
  if (step.needs !== undefined && !existsSync(resolve(repositoryRoot, step.needs))) {
    const output = `skipped: ${step.needs} is not there`;
    return { name: step.name, outcome: 'skipped', seconds: 0, output };
  }
  const startedAt = performance.now();
  let output = '';
  let outcome: StepResult['outcome'] = 'passed';
  for (const [program, ...args] of step.commands) {
    const result = await runCommand(program, args);
    output += result.output;
    if (result.exitCode !== 0) {
      outcome = 'failed';
      break;
    }
  }
  return { name: step.name, outcome, seconds: (performance.now() - startedAt) / 1000, output };
}
