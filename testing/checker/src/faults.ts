import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { CheckedEnvironment } from './environment.ts';

/** The environment that faults happen in, and where they are recorded. */
export type FaultOptions = {
  readonly environment: CheckedEnvironment;
  readonly history: History;
  readonly random: Random;
};

/** Injects random faults, one at a time, until the signal aborts. */
export const causeFaults = async (options: FaultOptions, signal: AbortSignal): Promise<void> => {
  const { history, random } = options;
  const faults = faultsOf(options);
  const names = [...Object.keys(faults), 'kills of notes', 'ended database sessions'];
  while (!signal.aborted) {
    await sleep(1_000 + random.below(4_000), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) {
      const name = random.pick(names);
      history.record('FAULT', name);
      history.count(name);
      await faults[name]?.();
    }
  }
};

const faultsOf = ({
  environment,
  random,
}: FaultOptions): Readonly<Record<string, () => Promise<unknown>>> => {
  const signalOne = async (name: string, how: NodeJS.Signals): Promise<number | null> => {
    const victims = environment.system.processes.filter((process) => process.name === name);
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
      environment.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'notes_app' and datname = current_database() and random() < 0.5`,
      ),
    ...(environment.system.processes.some(({ name }) => name === 'postgres')
      ? {
          // An immediate shutdown skips the checkpoint, so the next start runs recovery.
          'immediate restarts of PostgreSQL': () => signalOne('postgres', 'SIGQUIT'),
        }
      : {}),
    'aged tombstones': () =>
      // Citus computes no time from a column.
      environment.sql('update notes.notes set deleted_at = $1 where deleted_at > $2', [
        daysAgo(200),
        daysAgo(100),
      ]),
    'new epochs': async () => {
      // Citus computes no random value for several shards.
      for (const { id } of await environment.sql(
        'select company_id as id from notes.company_feed',
      )) {
        const statement = 'update notes.company_feed set epoch = $2 where company_id = $1';
        await environment.sql(statement, [id, randomUUID()]);
      }
    },
  };
};

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

const send = (pid: number | null, how: NodeJS.Signals): void => {
  try {
    if (pid !== null) {
      process.kill(pid, how);
    }
  } catch {
    // The process has already ended.
  }
};
