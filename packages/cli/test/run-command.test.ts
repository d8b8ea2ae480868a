import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { runCommand, type RunningCommand } from '../src/heartbeat/run-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a program that never ends. Resolves when its preparations are done. */
const runForEver = async (preparations: string): Promise<RunningCommand> => {
  const ready = join(folder, 'ready');
  const source = `
    ${preparations}
    setInterval(() => {}, 1000);
    require('node:fs').writeFileSync('${ready}', '');`;
  const command = runCommand([process.execPath, '-e', source], {});
  await until(() => existsSync(ready));
  return command;
};

describe('a command that is stopped', () => {
  it('may clean up first', async () => {
    const command = await runForEver(`process.on('SIGTERM', () => process.exit(3))`);
    command.end(20_000);
    await expect(command.ended).resolves.toMatchObject({ exitCode: 3, hasRun: true });
  });

  it('is killed after the grace period when it ignores SIGTERM', async () => {
    const command = await runForEver(`process.on('SIGTERM', () => {})`);
    command.end(200);
    await expect(command.ended).resolves.toMatchObject({
      exitCode: 137,
      description: 'was killed by SIGKILL',
    });
  });

  it('ignores further signals and stops after its end', async () => {
    const command = await runForEver('');
    command.end(20_000);
    await command.ended;
    command.send('SIGTERM');
    command.end(0);
    await expect(command.ended).resolves.toMatchObject({ exitCode: 143 });
  });

  it.each([
    ['/no/such/program', 127],
    [tmpdir(), 126],
  ])('that cannot be started, %s, gives %d', async (program, exitCode) => {
    const command = runCommand([program], {});
    await expect(command.ended).resolves.toMatchObject({ exitCode, hasRun: false });
  });
});
