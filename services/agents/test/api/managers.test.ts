import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Agent } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { createCompany, createAgent, type TestCompany } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const setManager = (home: TestCompany, agent: Agent, manager: Agent) =>
  as(world.app, home.owner).patch(`/api/agents/${agent.id}`).send({ reportsTo: manager.id });

/** A chain of agents, the top one first, each reporting to the one before it. */
const createChain = async (home: TestCompany, length: number): Promise<Agent[]> => {
  const line: Agent[] = [];
  for (let index = 0; index < length; index += 1) {
    line.push(await createAgent(home, { name: `A${index}`, reportsTo: line.at(-1)?.id ?? null }));
  }
  return line;
};

describe('a chain of command', () => {
  it('never has a cycle of one or of three', async () => {
    const home = await createCompany(world);
    const [top, , low] = (await createChain(home, 3)) as [Agent, Agent, Agent];
    for (const manager of [top, low]) {
      const response = await setManager(home, top, manager);
      expect([response.status, response.body.code]).toEqual([422, 'manager_cycle']);
    }
  });

  it('gets no cycle by two concurrent changes', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await createCompany(world);
      const [a, b] = [await createAgent(home), await createAgent(home)];
      const responses = await Promise.all([setManager(home, a, b), setManager(home, b, a)]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    }
  });

  it('stays in the company and without terminated managers', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const foreigner = await createAgent(await createCompany(world));
    const gone = await createAgent(home);
    await as(world.app, home.owner).post(`/api/agents/${gone.id}/terminate`);
    expect((await setManager(home, ada, foreigner)).body.code).toBe('manager_not_in_company');
    expect((await setManager(home, ada, gone)).body.code).toBe('manager_terminated');
    const created = await as(world.app, home.owner)
      .post(`/api/companies/${home.id}/agents`)
      .send({ name: 'B', role: 'r', reportsTo: newId() });
    expect([created.status, created.body.code]).toEqual([422, 'manager_not_in_company']);
  });

  it('is at most 32 managers deep, also for the reports of a moved agent', async () => {
    const home = await createCompany(world);
    const line = await createChain(home, 33);
    expect(line[32]?.chainOfCommand).toHaveLength(32);
    const deeper = await as(world.app, home.owner)
      .post(`/api/companies/${home.id}/agents`)
      .send({ name: 'B', role: 'r', reportsTo: line[32]?.id });
    expect(deeper.body.code).toBe('chain_too_deep');
    const boss = await createAgent(home, { name: 'Boss' });
    await createAgent(home, { name: 'Report', reportsTo: boss.id });
    expect((await setManager(home, boss, line[31] as Agent)).body.code).toBe('chain_too_deep');
    expect((await setManager(home, boss, line[30] as Agent)).status).toBe(200);
    expect((await setManager(home, line[0] as Agent, await createAgent(home))).body.code).toBe(
      'chain_too_deep',
    );
  });
});
