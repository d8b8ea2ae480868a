import { join } from 'node:path';
import { runProcess } from '@commonplace/standalone/run-process';
import type { Command } from '../command.ts';
import { operatorEnvironment } from '../operator-environment.ts';

const program = join(import.meta.dirname, '../../../../services/auth/src/operator-cli.ts');

/** Runs the operator CLI of the auth service, which has its own arguments, in a process of its own. */
export const operator: Command = {
  run: async ({ args, env }) =>
    runProcess(['--disable-warning=ExperimentalWarning', program, ...args], {
      env: await operatorEnvironment(env),
    }),
};
