import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stopLeftovers, until } from './run-cli.ts';
import { startSyncWorld, type SyncWorld, type TestFolder } from './sync-world.ts';

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => world.stop());

/** Waits until folders hold the same files and as many as that; gives the milliseconds it took. */
const agree = async (folders: readonly TestFolder[], count: number): Promise<number> => {
  const since = performance.now();
  for (;;) {
    const [first, ...others] = await Promise.all(
      folders.map(async (folder) => JSON.stringify(await folder.files().catch(() => null))),
    );
    const files = Object.keys(JSON.parse(first ?? 'null') ?? {}) as string[];
    if (files.length === count && others.every((other) => other === first)) {
      return performance.now() - since;
    }
    await sleep(20);
  }
};

/** A file is away for an instant while its successor takes its place. */
const shared = (folder: TestFolder): Promise<string> => folder.read('Shared.md').catch(() => '');

describe('two watched folders and an agent on one company', () => {
  it('agree after every edit, whoever made it', async () => {
    const company = await world.company();
    const [one, two] = [await world.folder(), await world.folder()];
    const watching = [one, two].map((folder) => world.sync(company, folder, '--watch'));
    await until(() => watching.every((cli) => cli.stderr().includes('watching')));
    const took: number[] = [];

    await one.write('Shared.md', 'line 1\nline 2\nline 3\n');
    took.push(await agree([one, two], 1));
    const { id, content } = await company.note('Shared');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id } },
      body: { title: 'Shared', content: `${content}from the agent\n` },
    });
    await untilAsync(async () => (await shared(one)).includes('from the agent'));
    took.push(await agree([one, two], 1));
    await two.write('sub/Second.md', 'from the second folder\n');
    took.push(await agree([one, two], 2));

    // Both sides at once, at different lines of one note.
    const text = await one.read('Shared.md');
    await Promise.all([
      one.write('Shared.md', text.replace('line 1', 'line 1, by one')),
      two.write('Shared.md', text.replace('line 3', 'line 3, by two')),
    ]);
    await untilAsync(async () => /by one[^]*by two/.test(await shared(one)));
    took.push(await agree([one, two], 2));

    expect((await company.note('Shared')).content).toBe(await one.read('Shared.md'));
    expect((await company.notes()).map(({ title }) => title).toSorted()).toEqual([
      'Second',
      'Shared',
    ]);
    console.log(`agreed after ${took.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
    watching.forEach((cli) => cli.child.kill('SIGINT'));
    expect(await Promise.all(watching.map((cli) => cli.ended))).toEqual([130, 130]);
  }, 60_000);

  it('go on when nobody reads what they say any more', async () => {
    const company = await world.company();
    const folder = await world.folder();
    const cli = world.sync(company, folder, '--watch');
    await until(() => cli.stderr().includes('watching'));
    cli.child.stderr?.destroy();
    // Each of these is told, into nothing.
    for (const title of ['First', 'Second', 'Third']) {
      await folder.write(`${title}.md`, 'unheard\n');
      await untilAsync(async () => (await company.notes()).some((note) => note.title === title));
    }
    cli.child.kill('SIGINT');
    expect(await cli.ended).toBe(130);
  }, 60_000);

  it('wait for a server that is away, tell when they are in step again, and end when their key is revoked', async () => {
    const company = await world.company();
    const folder = await world.folder();
    const cli = world.sync(company, folder, '--watch');
    await until(() => cli.stderr().includes('watching'));
    await folder.write('While away.md', 'kept\n');
    // Again and again, until the client's own retries no longer hide it.
    await untilAsync(async () => {
      killGateway();
      return cli.stderr().includes('not in step: ');
    });
    await untilAsync(async () =>
      (await company.notes().catch(() => [])).some(({ title }) => title === 'While away'),
    );
    await until(() => cli.stderr().includes('in step again, after'));
    // Every line has its time.
    const lines = cli.stderr().trim().split('\n');
    expect(
      lines.filter((line) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z commonplace sync: /.test(line)),
    ).toEqual([]);
    const { data: me } = await company.api.get('/api/agents/me');
    const { kind } = me.credential;
    const keyId = kind === 'key' ? me.credential.keyId : undefined;
    await world.system.as({})('DELETE', `/api/agents/${me.id}/keys/${keyId ?? ''}`);
    expect(await cli.ended).toBe(125);
    expect(cli.stderr()).toContain('invalid_token');
  }, 60_000);
});

const killGateway = (): void => {
  const gateway = world.system.system.processes.find(({ name }) => name === 'gateway');
  try {
    process.kill(gateway?.pid ?? NaN, 'SIGKILL');
  } catch {
    // It is being started again.
  }
};

/** Waits until something is so that has to be asked for. */
const untilAsync = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) {
    await sleep(20);
  }
};
