import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Place } from '../src/prepare-place.ts';
import { runServer } from '../src/run-server.ts';

let dataDir: string;

/** A place whose server is a script of a shell. */
const placeOf = async (script: string): Promise<Place> => {
  const postgres = join(dataDir, 'postgres');
  await writeFile(postgres, `#!/bin/sh\n${script}\n`);
  await chmod(postgres, 0o755);
  const pgdata = join(dataDir, 'pgdata');
  await mkdir(pgdata);
  const binaries = { initdb: postgres, postgres, pgCtl: postgres };
  return { dataDir, home: dataDir, pgdata, binaries, user: null };
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'commonplace-server-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('a start that fails has the words of the server, whatever the log had before', async () => {
  const place = await placeOf('echo "FATAL:  no room for Zoë" >&2; exit 1');
  await writeFile(join(dataDir, 'postgres.log'), 'Zoë was here\n'.repeat(1_000));
  await expect(runServer(place, [])).rejects.toThrow(
    /^PostgreSQL ended while starting:\nFATAL: {2}no room for Zoë$/,
  );
});

test('a start that is given up ends the server, however long it would take', async () => {
  const place = await placeOf(`echo $$ > ${dataDir}/pid; exec sleep 1000`);
  const stopping = new AbortController();
  const start = runServer(place, [], stopping.signal);
  let pid = 0;
  while (!(pid > 0)) {
    // Without a number the shell is between making the file and writing it.
    pid = Number(await readFile(join(dataDir, 'pid'), 'utf8').catch(() => ''));
  }
  stopping.abort();
  await expect(start).rejects.toThrow(/was stopped while it started/);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
