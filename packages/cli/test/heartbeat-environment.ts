import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeGateway } from './fake-gateway.ts';
import { runCli, stopLeftovers, type RunningCli } from './run-cli.ts';

/** A fake gateway, a temporary folder, and the real program configured for both. */
export type HeartbeatEnvironment = {
  readonly gateway: FakeGateway;
  /** The program's TMPDIR. */
  readonly folder: string;
  /** Starts `heartbeat`. The default environment has the key of the gateway's agent. */
  readonly heartbeat: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    starter?: readonly string[],
  ) => RunningCli;
  /** Ends the programs before the gateway, so that each can still finish its run. */
  readonly stop: () => Promise<void>;
};

/** Starts the environment of one test. */
export const startHeartbeatEnvironment = async (): Promise<HeartbeatEnvironment> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-cli-'));
  const gateway = new FakeGateway();
  await gateway.start();
  return {
    gateway,
    folder,
    heartbeat: (args, env = { COMMONPLACE_API_KEY: gateway.key }, starter = []) =>
      runCli(
        ['heartbeat', '--agent', gateway.agentId, ...args],
        { COMMONPLACE_URL: gateway.baseUrl, TMPDIR: folder, ...env },
        starter,
      ),
    stop: async () => {
      await stopLeftovers();
      await gateway.stop();
      await rm(folder, { recursive: true });
    },
  };
};
