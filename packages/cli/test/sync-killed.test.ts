import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { stopLeftovers } from './run-cli.ts';
import { startSyncWorld, type SyncWorld } from './sync-world.ts';

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => world.stop());

const rounds = 8;
const filesPerRound = 150;

it('a sync killed at any moment loses nothing and does nothing twice', async () => {
  const company = await world.company();
  const folder = await world.folder();
  const expected: Record<string, string> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < filesPerRound; index += 1) {
      const path = `r${round}/Note ${index}.md`;
      expected[path] = `round ${round}, note ${index}\n`;
      await folder.write(path, expected[path]);
    }
    const edited = `r${Math.floor(round / 2)}/Note 0.md`;
    expected[edited] = `edited in round ${round}\n`;
    await folder.write(edited, expected[edited]);
    const cli = world.sync(company, folder);
    // The program starts within about a second; the moments spread over all of its work.
    await Promise.race([sleep(400 + Math.random() * 1_200), cli.ended]);
    cli.child.kill('SIGKILL');
    await cli.ended;
  }
  const last = world.sync(company, folder);
  expect([await last.ended, last.stderr()]).toEqual([0, expect.any(String)]);
  expect(await folder.files()).toEqual(expected);
  const notes = await company.notes();
  expect(
    Object.fromEntries(
      notes.map(({ folder: at, title, content }) => [`${at}/${title}.md`, content]),
    ),
  ).toEqual(expected);
  expect(notes).toHaveLength(rounds * filesPerRound);
}, 120_000);
