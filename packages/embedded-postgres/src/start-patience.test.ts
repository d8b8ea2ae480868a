import { expect, it } from '@jest/globals';
import { newestProgress, startPatience } from './start-patience.ts';

it('waits for a recovery as long as it makes progress, and no longer for a server that hangs', async () => {
  let [now, said] = [0, ''];
  const isPatient = startPatience(
    100,
    async () => newestProgress(said),
    () => now,
  );
  now = 99;
  expect(await isPatient()).toBe(true);
  said = 'LOG:  redo in progress, elapsed time: 10.00 s, current LSN: 0/1\nFATAL:  not yet\n';
  now = 100;
  expect(await isPatient()).toBe(true);
  now = 199;
  expect(await isPatient()).toBe(true);
  said += 'LOG:  redo in progress, elapsed time: 20.00 s, current LSN: 0/2\n';
  now = 200;
  expect(await isPatient()).toBe(true);
  // Others who try to connect are no progress.
  said += 'FATAL:  the database system is starting up\n';
  now = 300;
  expect(await isPatient()).toBe(false);
});
