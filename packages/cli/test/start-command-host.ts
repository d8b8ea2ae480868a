import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nodeEnvironment } from '@commonplace/testkit';
import type { HostedCommand, Ran } from './command-host.ts';

/** Runs commands of the program in one process, which starts once instead of for each of them. */
export type CommandHost = {
  readonly run: (command: HostedCommand) => Promise<Ran>;
  readonly stop: () => Promise<void>;
};

const host = fileURLToPath(new URL('command-host.ts', import.meta.url));

const start = () => {
  const child = fork(host, { env: nodeEnvironment(), execArgv: [] });
  return { child, ended: once(child, 'exit') };
};

/** Such a process, which starts with the first command. */
export const startCommandHost = (): CommandHost => {
  let started: ReturnType<typeof start> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const send = async (command: HostedCommand): Promise<Ran> => {
    started ??= start();
    const { child, ended } = started;
    const response = once(child, 'message');
    child.send(command);
    const how = await Promise.race([response, ended.then(([code]) => `exit code ${code}`)]);
    if (typeof how === 'string') {
      throw new Error(`The process that runs commands has ended: ${how}`);
    }
    return how[0] as Ran;
  };
  return {
    run: async (command) => {
      const ran = last.then(() => send(command));
      last = ran.catch(() => undefined);
      return ran;
    },
    stop: async () => {
      started?.child.disconnect();
      await started?.ended;
    },
  };
};
