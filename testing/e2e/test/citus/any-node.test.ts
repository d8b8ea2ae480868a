import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCitusCluster, type CitusCluster } from '@commonplace/testkit/citus';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { testPasswords, testPasswordVariables } from '@commonplace/testkit';
import { bearer, createApi } from '../../src/call-api.ts';
import { makeCompaniesOnEachNode, type PlacedCompany } from '../../src/citus/companies-by-node.ts';
import { startOnCluster, type SystemOnCluster } from '../../src/citus/start-on-cluster.ts';
import { writeAndRead } from '../../src/citus/write-and-read.ts';
import { runDemo } from '../../src/demo/run-demo.ts';

describeOnCitus('the agents and notes services, connected to different workers', () => {
  let cluster: CitusCluster;
  let running: SystemOnCluster;
  let companies: PlacedCompany[];

  const at = (index: number, service: 'agents' | 'notes'): Record<string, string> => {
    const url = new URL(cluster.workers[index]?.url('commonplace') ?? '');
    url.username = `${service}_app`;
    url.password = testPasswords[service];
    return { DATABASE_URL: url.href };
  };

  beforeAll(async () => {
    cluster = await startCitusCluster();
    running = await startOnCluster(cluster, {
      env: testPasswordVariables,
      serviceEnv: { agents: at(0, 'agents'), notes: at(1, 'notes') },
    });
    companies = await makeCompaniesOnEachNode(cluster, running.system.baseUrl, 2);
  }, 240_000);
  afterAll(async () => {
    await running?.stop();
    await cluster?.stop();
  }, 60_000);

  it('complete the demo', async () => {
    const { baseUrl } = running.system;
    const lines: string[] = [];
    await runDemo({ baseUrl, operatorHeaders: {}, print: (line) => void lines.push(line) });
    expect(lines.length).toBeGreaterThan(0);
  }, 60_000);

  it('write and read companies of every node', async () => {
    const { baseUrl } = running.system;
    const clients = writeAndRead(() => baseUrl, companies);
    while (clients.exchanges.length < 100) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await clients.stop();
    expect(clients.exchanges.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(await clients.verify()).toEqual([]);
  }, 60_000);

  it('search, list and find by title', async () => {
    const [company] = companies;
    const agent = createApi({
      baseUrl: running.system.baseUrl,
      headers: bearer(company?.key ?? ''),
    });
    const body = { title: 'Boiling point', content: 'Water boils at 100 degrees.', tags: ['t'] };
    expect((await agent('POST', '/api/notes', { body })).status).toBe(201);
    for (const path of [
      '/api/notes?q=boils',
      '/api/notes?tag=t',
      '/api/notes/by-path?folder=&title=Boiling%20point',
    ]) {
      const { status, body: found } = await agent('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(found)).toContain('Boiling point');
    }
  }, 60_000);
});
