import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { as } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { createCompany, namesOf } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('lists the audit log of some time, its beginning included and its end not, with filters and in pages', async () => {
  const { id, owner } = await createCompany(world);
  const times: string[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    world.clock.now = new Date(world.clock.now.getTime() + 60_000);
    times.push(world.clock.now.toISOString());
    await as(world.app, owner).patch(`/api/companies/${id}`).send({ name }).expect(200);
  }
  const read = (query: string) =>
    as(world.app, owner).get(`/api/companies/${id}/activity?${query}`);
  const renamedAt = async (query: string) => namesOf((await read(query).expect(200)).body, 'at');
  const [one, two, three, four] = times;
  expect(await renamedAt(`since=${two}&until=${four}`)).toEqual([three, two]);
  expect(await renamedAt(`since=${three}`)).toEqual([four, three]);
  expect(await renamedAt(`until=${two}&action=company.renamed`)).toEqual([one]);
  expect(await renamedAt(`since=${four}&until=${one}`)).toEqual([]);
  const first = await read(`since=${two}&until=${four}&limit=1`);
  const rest = await read(`since=${two}&until=${four}&limit=1&cursor=${first.body.nextCursor}`);
  expect([namesOf(first.body, 'at'), namesOf(rest.body, 'at')]).toEqual([[three], [two]]);
  expect(rest.body.nextCursor).toBeNull();
  for (const faulty of ['since=monday', 'until=2026-01-31', 'since=0000-01-01T00:00:00.000Z']) {
    const { status, body } = await read(faulty);
    expect([faulty, status, body.code]).toEqual([faulty, 400, 'validation_failed']);
  }
});
