import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { CheckedWorld } from './world.ts';

/** Where faults happen, and who tells of them. */
export type FaultOptions = {
  readonly world: CheckedWorld;
  readonly history: History;
  readonly random: Random;
};

/** What goes wrong in a data centre, one after the other, until the signal. */
export const causeFaults = async (options: FaultOptions, signal: AbortSignal): Promise<void> => {
  const { history, random } = options;
  const faults = faultsOf(options);
  const names = [...Object.keys(faults), 'kills of notes', 'ended database sessions'];
  while (!signal.aborted) {
    await sleep(1_000 + random.below(4_000), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) {
      const name = random.pick(names);
      history.say('FAULT', name);
      history.count(name);
      await faults[name]?.();
    }
  }
};

const faultsOf = ({
  world,
  random,
}: FaultOptions): Readonly<Record<string, () => Promise<unknown>>> => {
  const signalOne = async (name: string, how: NodeJS.Signals): Promise<number | null> => {
    const victims = world.system.processes.filter((process) => process.name === name);
    const { pid } = random.pick(victims);
    send(pid, how);
    return pid;
  };
  return {
    'kills of notes': () => signalOne('notes', 'SIGKILL'),
    'kills of the gateway': () => signalOne('gateway', 'SIGKILL'),
    'kills of agents': () => signalOne('agents', 'SIGKILL'),
    'stops for 3 s': async () => {
      const pid = await signalOne('notes', 'SIGSTOP');
      await sleep(3_000);
      send(pid, 'SIGCONT');
    },
    'ended database sessions': () =>
      world.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'notes_app' and random() < 0.5`,
      ),
    // "Immediate" is how PostgreSQL calls a stop without a goodbye: the next start recovers.
    'immediate restarts of PostgreSQL': () => signalOne('postgres', 'SIGQUIT'),
    'aged tombstones': () =>
      world.sql(
        `update notes.notes set deleted_at = deleted_at - interval '200 days'
         where deleted_at > now() - interval '100 days'`,
      ),
    'new epochs': () => world.sql('update notes.company_feed set epoch = gen_random_uuid()'),
  };
};

const send = (pid: number | null, how: NodeJS.Signals): void => {
  try {
    if (pid !== null) {
      process.kill(pid, how);
    }
  } catch {
    // It has ended by itself meanwhile.
  }
};
