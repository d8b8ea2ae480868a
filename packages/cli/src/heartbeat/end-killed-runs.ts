import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, describeError } from '../describe-error.ts';
import { isRunning, readOwner, runFolderPrefix, type ProcessIdentity } from './run-owner.ts';

/** The time between SIGTERM and SIGKILL. */
const graceMs = 10_000;
const pollMs = 50;

/**
 * Ends what killed heartbeats of this user left behind: commands that still run, with a token that nobody renews, and
 * folders with a token. SIGKILL gives a heartbeat no chance to do it.
 */
export const endKilledRuns = async (log: (line: string) => void): Promise<void> => {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (name.startsWith(runFolderPrefix)) {
      await endIfKilled(join(tmpdir(), name), log).catch((error: unknown) =>
        log(`${name} of a killed heartbeat is left: ${describeError(error)}`),
      );
    }
  }
};

const endIfKilled = async (folder: string, log: (line: string) => void): Promise<void> => {
  const stats = await lstat(folder);
  // Another user could make a folder that names a process of this one.
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) {
    return;
  }
  const owner = await readOwner(folder);
  if (!owner?.heartbeat || (await isRunning(owner.heartbeat))) {
    return;
  }
  if (owner.command && (await isRunning(owner.command))) {
    log(`ending process ${owner.command.pid}, the command of a killed heartbeat`);
    await endGroup(owner.command);
  }
  await rm(folder, { recursive: true, force: true });
};

const endGroup = async (command: ProcessIdentity): Promise<void> => {
  signalGroup(command, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < graceMs && (await isRunning(command)); waitedMs += pollMs) {
    await sleep(pollMs);
  }
  signalGroup(command, 'SIGKILL');
};

const signalGroup = ({ pid }: ProcessIdentity, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: the group is empty.
    if (codeOf(error) !== 'ESRCH') {
      throw error;
    }
  }
};
