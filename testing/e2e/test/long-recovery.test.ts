import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@commonplace/embedded-postgres';
import { makeDataDirectory } from '@commonplace/standalone/data-directory';
import { databaseFolder } from '@commonplace/standalone/database-folder';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let folder: string;
let dataDir: string;
let pgdata: string;

/** A database that recovers for as long as it is left to: it waits for a file of the archive. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-recovery-'));
  // PostgreSQL runs as a user of its own when the tests run as root.
  await chmod(folder, 0o711);
  dataDir = await makeDataDirectory(join(folder, 'data'));
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false });
  await postgres.stop();
  pgdata = (await databaseFolder(dataDir)) ?? '';
  await writeFile(join(pgdata, 'recovery.signal'), '');
  await appendFile(
    join(pgdata, 'postgresql.auto.conf'),
    "restore_command = 'sleep 1000'\nhot_standby = off\n",
  );
});
afterAll(() => rm(folder, { recursive: true }));

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

it('an interrupted command ends the PostgreSQL that it started, however long its recovery would take', async () => {
  const program = fileURLToPath(new URL('../../../packages/admin/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, 'backup', join(folder, 'backup')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close');
  let server = 0;
  while (!(server > 0) && child.exitCode === null) {
    await sleep(5);
    server = Number((await read(join(pgdata, 'postmaster.pid'))).split('\n')[0]);
  }
  child.kill('SIGINT');
  expect([await ended, stderr]).toEqual([
    [130, null],
    expect.stringContaining('Interrupted by SIGINT; nothing is left running.'),
  ]);
  expect(() => process.kill(server, 0)).toThrow('ESRCH');
});
