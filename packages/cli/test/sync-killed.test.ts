import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { stopLeftovers } from './run-cli.ts';
import { startSyncEnvironment, type SyncEnvironment } from './sync-environment.ts';

let environment: SyncEnvironment;
beforeAll(async () => {
  environment = await startSyncEnvironment();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => environment.stop());

const rounds = 8;
const filesPerRound = 150;

it('a sync killed at any moment loses nothing and applies nothing twice', async () => {
  const company = await environment.company();
  const folder = await environment.folder();
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
    const cli = environment.sync(company, folder);
    // The program starts within about a second, so the kills spread over its whole run.
    await Promise.race([sleep(400 + Math.random() * 1_200), cli.ended]);
    cli.child.kill('SIGKILL');
    await cli.ended;
  }
  const last = environment.sync(company, folder);
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

it('a sync killed while it receives and moves files creates no notes from files it wrote', async () => {
  const company = await environment.company();
  const folder = await environment.folder();
  const ids = Array.from({ length: 400 }, () => randomUUID());
  for (let round = 0; round < rounds; round += 1) {
    const changes = ids.map((id, index) => ({
      mutationId: randomUUID(),
      id,
      op: 'put' as const,
      baseRevision: round === 0 ? null : round,
      note: { title: `Note ${index}`, folder: `round ${round}`, content: `text ${round}\n` },
    }));
    const { data } = await company.api.post('/api/sync', { body: { clientId: 'agent', changes } });
    expect(data).toMatchObject({ counts: { applied: ids.length } });
    const cli = environment.sync(company, folder);
    await Promise.race([sleep(600 + Math.random() * 1_500), cli.ended]);
    cli.child.kill('SIGKILL');
    await cli.ended;
  }
  const last = environment.sync(company, folder);
  expect([await last.ended, last.stderr()]).toEqual([0, expect.any(String)]);
  expect((await company.notes()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const expected = ids.map((_, index) => [
    `round ${rounds - 1}/Note ${index}.md`,
    `text ${rounds - 1}\n`,
  ]);
  expect(await folder.files()).toEqual(Object.fromEntries(expected));
}, 120_000);
