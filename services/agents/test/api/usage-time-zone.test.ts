import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Usage } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { createAgent, createCompany, startRun } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  // Before the service opens its first connection.
  const [{ name } = {}] = await world.sql('select current_database() as name');
  await world.sql(`alter database ${String(name)} set timezone = 'Europe/Berlin'`);
});
afterAll(() => world.close());

it.each([
  ['a day of 23 hours', '2026-03-29'],
  ['a day of 25 hours', '2026-10-25'],
])(
  'usage by run has the runs of the UTC day where the time zone of the server has %s',
  async (_, day) => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString();
    const times = [`${day}T00:00:00.000Z`, `${day}T23:59:59.000Z`, next];
    const ids: string[] = [];
    for (const time of times) {
      world.clock.now = new Date(time);
      ids.push((await startRun(home, ada)).run.id);
    }
    const usage = async (query: string) =>
      (await as(world.app, home.owner).get(`/api/companies/${home.id}/usage?${query}`).expect(200))
        .body as Usage;
    const { items } = await usage(`from=${day}&to=${day}&by=run`);
    expect(items.map(({ run }) => run?.id)).toEqual([ids[1], ids[0]]);
  },
);
