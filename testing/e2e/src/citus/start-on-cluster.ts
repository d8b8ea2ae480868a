import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem, type RunningSystem, type SystemOptions } from '@commonplace/standalone';
import type { CitusCluster } from '@commonplace/testkit/citus';

/** A system on a Citus cluster. */
export type SystemOnCluster = {
  readonly system: RunningSystem;
  /** The output of all processes so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

/** Migrates the cluster and starts all processes on it. */
export const startOnCluster = async (
  { url }: Pick<CitusCluster, 'url'>,
  options: Partial<SystemOptions> = {},
): Promise<SystemOnCluster> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-e2e-'));
  const written: string[] = [];
  const system = await startSystem({
    dataDir,
    mode: 'local_trusted',
    databaseUrl: url,
    output: (text) => void written.push(text),
    ...options,
    env: { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '0', DATABASE_CITUS: 'on', ...options.env },
  });
  return {
    system,
    output: () => written.join(''),
    stop: async () => {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
