import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Agent } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { found, hire, type Home } from '../support/inhabitants.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const putUnder = (home: Home, agent: Agent, manager: Agent) =>
  as(world.app, home.owner).patch(`/api/agents/${agent.id}`).send({ reportsTo: manager.id });

/** A line of agents, the top one first, each reporting to the one before it. */
const hireLine = async (home: Home, length: number): Promise<Agent[]> => {
  const line: Agent[] = [];
  for (let index = 0; index < length; index += 1) {
    line.push(await hire(home, { name: `A${index}`, reportsTo: line.at(-1)?.id ?? null }));
  }
  return line;
};

describe('a chain of command', () => {
  it('is never a circle: neither of one, nor of three', async () => {
    const home = await found(world);
    const [top, , low] = (await hireLine(home, 3)) as [Agent, Agent, Agent];
    for (const manager of [top, low]) {
      const response = await putUnder(home, top, manager);
      expect([response.status, response.body.code]).toEqual([422, 'manager_cycle']);
    }
  });

  it('does not become a circle by two changes at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await found(world);
      const [a, b] = [await hire(home), await hire(home)];
      const answers = await Promise.all([putUnder(home, a, b), putUnder(home, b, a)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    }
  });

  it('stays inside the company and among the living', async () => {
    const home = await found(world);
    const ada = await hire(home);
    const foreigner = await hire(await found(world));
    const gone = await hire(home);
    await as(world.app, home.owner).post(`/api/agents/${gone.id}/terminate`);
    expect((await putUnder(home, ada, foreigner)).body.code).toBe('manager_not_in_company');
    expect((await putUnder(home, ada, gone)).body.code).toBe('manager_terminated');
    const created = await as(world.app, home.owner)
      .post(`/api/companies/${home.id}/agents`)
      .send({ name: 'B', role: 'r', reportsTo: newId() });
    expect([created.status, created.body.code]).toEqual([422, 'manager_not_in_company']);
  });

  it('is 32 managers deep at most, also for the reports of whoever moves', async () => {
    const home = await found(world);
    const line = await hireLine(home, 33);
    expect(line[32]?.chainOfCommand).toHaveLength(32);
    const deeper = await as(world.app, home.owner)
      .post(`/api/companies/${home.id}/agents`)
      .send({ name: 'B', role: 'r', reportsTo: line[32]?.id });
    expect(deeper.body.code).toBe('chain_too_deep');
    const boss = await hire(home, { name: 'Boss' });
    await hire(home, { name: 'Report', reportsTo: boss.id });
    expect((await putUnder(home, boss, line[31] as Agent)).body.code).toBe('chain_too_deep');
    expect((await putUnder(home, boss, line[30] as Agent)).status).toBe(200);
    expect((await putUnder(home, line[0] as Agent, await hire(home))).body.code).toBe(
      'chain_too_deep',
    );
  });
});
