import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { stopLeftovers } from './run-cli.ts';
import { callTool, connectStdio } from './stdio-client.ts';
import { startSyncEnvironment, type SyncEnvironment } from './sync-environment.ts';

let environment: SyncEnvironment;
const clients: Client[] = [];
beforeAll(async () => {
  environment = await startSyncEnvironment();
}, 120_000);
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stopLeftovers();
});
afterAll(() => environment.stop());

const killGateway = (): void => {
  const gateway = environment.system.system.processes.find(({ name }) => name === 'gateway');
  if (gateway?.pid) {
    process.kill(gateway.pid, 'SIGKILL');
  }
};

const kills = 5;
const callsPerClient = 40;

it('two MCP clients and a folder sync behind a gateway that is killed: no call without a result, nothing lost, nothing twice', async () => {
  const company = await environment.company();
  const folder = await environment.folder();
  const env = {
    COMMONPLACE_URL: environment.system.baseUrl,
    COMMONPLACE_API_KEY: company.key,
  };
  const eras = ['2025-11-25', '2026-07-28'] as const;
  const connected = await Promise.all(eras.map((era) => connectStdio(env, era)));
  clients.push(...connected);
  const [first] = connected;
  const { data } = await callTool(first as Client, 'write_note', { title: 'Journal', content: '' });
  const id = String(data['id']);
  await folder.write('From the folder.md', 'folder 0\n');
  const sync = environment.sync(company, folder, '--watch');
  // The kills begin after its first round.
  await until(async () => (await company.notes()).some(({ title }) => title === 'From the folder'));

  const acknowledged: string[] = [];
  const refused: string[] = [];
  const work = async (client: Client, name: string): Promise<void> => {
    for (let index = 0; index < callsPerClient; index += 1) {
      const line = `${name} ${index}`;
      const { isError, text } =
        index % 4 === 3
          ? await callTool(client, 'write_note', { title: line, content: line })
          : await callTool(client, 'edit_note', { id, append: `${line}\n` });
      (isError ? refused : acknowledged).push(isError ? text : line);
      await sleep(50);
    }
  };
  const working = Promise.all(connected.map((client, index) => work(client, `client${index}`)));
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(700);
    killGateway();
    await folder.write('From the folder.md', `folder ${kill + 1}\n`);
  }
  await working;

  expect(refused).toEqual([]);
  expect(acknowledged).toHaveLength(2 * callsPerClient);
  const journal = await company.note('Journal');
  const lines = journal.content.trimEnd().split('\n');
  const titles = (await company.notes()).map(({ title }) => title);
  const written = [...lines, ...titles];
  expect(
    acknowledged.filter((line) => written.filter((each) => each === line).length !== 1),
  ).toEqual([]);
  // The folder has everything, and its own changes have arrived.
  const isLevel = async (): Promise<boolean> => {
    const files = await folder.files();
    const note = await company.note('From the folder').catch(() => null);
    return files['Journal.md'] === journal.content && note?.content === `folder ${kills}\n`;
  };
  await until(() => isLevel().catch(() => false), 120);
  sync.child.kill('SIGTERM');
  await sync.ended;
}, 180_000);
