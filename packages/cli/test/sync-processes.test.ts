import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { runCli, stopLeftovers } from './run-cli.ts';
import { startSyncEnvironment, type SyncEnvironment, type TestFolder } from './sync-environment.ts';

let environment: SyncEnvironment;
beforeAll(async () => {
  environment = await startSyncEnvironment();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => environment.stop());

/** Waits until all folders have the same files, `count` each. Returns the milliseconds it took. */
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

/** A file is missing for a moment while it is being replaced. */
const shared = (folder: TestFolder): Promise<string> => folder.read('Shared.md').catch(() => '');

describe('two watched folders and an agent on one company', () => {
  it('agree after every edit, from whichever side, also one that is given as a link', async () => {
    const company = await environment.company();
    const [one, two] = [await environment.folder(), await environment.folder()];
    // People reach a folder through a link, such as one in their home.
    const linked = { ...two, root: join(one.root, '.link') };
    await symlink(two.root, linked.root);
    const watching = [one, linked].map((folder) => environment.sync(company, folder, '--watch'));
    await until(() => watching.every((cli) => cli.stderr().includes('watching')));
    const durationsMs: number[] = [];

    await one.write('Shared.md', 'line 1\nline 2\nline 3\n');
    durationsMs.push(await agree([one, two], 1));
    const { id, content } = await company.note('Shared');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id } },
      body: { title: 'Shared', content: `${content}from the agent\n` },
    });
    await until(async () => (await shared(one)).includes('from the agent'));
    durationsMs.push(await agree([one, two], 1));
    await two.write('sub/Second.md', 'from the second folder\n');
    durationsMs.push(await agree([one, two], 2));

    // Both sides at once, at different lines of one note.
    const text = await one.read('Shared.md');
    await Promise.all([
      one.write('Shared.md', text.replace('line 1', 'line 1, by one')),
      two.write('Shared.md', text.replace('line 3', 'line 3, by two')),
    ]);
    await until(async () => /by one[^]*by two/.test(await shared(one)));
    durationsMs.push(await agree([one, two], 2));

    expect((await company.note('Shared')).content).toBe(await one.read('Shared.md'));
    expect((await company.notes()).map(({ title }) => title).toSorted()).toEqual([
      'Second',
      'Shared',
    ]);
    console.log(`agreed after ${durationsMs.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
    watching.forEach((cli) => cli.child.kill('SIGINT'));
    expect(await Promise.all(watching.map((cli) => cli.ended))).toEqual([130, 130]);
  }, 60_000);

  it('continue when their standard error is closed, and after a SIGHUP without a terminal, as with nohup', async () => {
    const company = await environment.company();
    const folder = await environment.folder();
    const cli = environment.sync(company, folder, '--watch');
    await until(() => cli.stderr().includes('watching'));
    cli.child.stderr?.destroy();
    cli.child.kill('SIGHUP');
    // Each of these is logged to the closed stream.
    for (const title of ['First', 'Second', 'Third']) {
      await folder.write(`${title}.md`, 'unread\n');
      await until(async () => (await company.notes()).some((note) => note.title === title));
    }
    cli.child.kill('SIGINT');
    expect(await cli.ended).toBe(130);
  }, 60_000);

  it('wait for a server that starts after them', async () => {
    const company = await environment.company();
    const folder = await environment.folder();
    await folder.write('Early.md', 'kept\n');
    const server = createServer((req, res) => {
      const { host: _, ...headers } = req.headers;
      const to = new URL(req.url ?? '', environment.system.baseUrl);
      const forwarded = request(to, { method: req.method, headers }, (response) => {
        response.pipe(res.writeHead(response.statusCode ?? 0, response.headers));
      });
      req.pipe(forwarded.on('error', () => res.destroy()));
    });
    const port = await listen(server, 0);
    server.close();
    const cli = runCli(['sync', folder.root, '--watch'], {
      COMMONPLACE_URL: `http://127.0.0.1:${port}`,
      COMMONPLACE_API_KEY: company.key,
    });
    await until(() => cli.stderr().includes('; retrying'));
    await listen(server, port);
    await until(() => cli.stderr().includes('watching'));
    expect((await company.notes()).map(({ title }) => title)).toEqual(['Early']);
    cli.child.kill('SIGINT');
    expect(await cli.ended).toBe(130);
    server.closeAllConnections();
    server.close();
  }, 60_000);

  it('retry an unavailable server, log when they are synchronised again, and end when their key is revoked', async () => {
    const company = await environment.company();
    const folder = await environment.folder();
    const cli = environment.sync(company, folder, '--watch');
    await until(() => cli.stderr().includes('watching'));
    await folder.write('While away.md', 'kept\n');
    // Repeatedly, until the outage outlasts the retries of the client.
    await until(async () => {
      killGateway();
      return cli.stderr().includes('synchronisation failed: ');
    });
    await until(async () =>
      (await company.notes().catch(() => [])).some(({ title }) => title === 'While away'),
    );
    await until(() => cli.stderr().includes('synchronised again after'));
    // Every line starts with its time.
    const lines = cli.stderr().trim().split('\n');
    expect(
      lines.filter((line) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z commonplace sync: /.test(line)),
    ).toEqual([]);
    const { data: me } = await company.api.get('/api/agents/me');
    const { kind } = me.credential;
    const keyId = kind === 'key' ? me.credential.keyId : undefined;
    await environment.system.as({})('DELETE', `/api/agents/${me.id}/keys/${keyId ?? ''}`);
    expect(await cli.ended).toBe(125);
    expect(cli.stderr()).toContain('invalid_token');
  }, 60_000);
});

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const killGateway = (): void => {
  const gateway = environment.system.system.processes.find(({ name }) => name === 'gateway');
  try {
    process.kill(gateway?.pid ?? NaN, 'SIGKILL');
  } catch {
    // It is being started again.
  }
};

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
