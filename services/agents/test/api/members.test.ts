import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as, serviceCaller } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { callerOf, createCompany, createAgent, addMember, namesOf } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the members of a company', () => {
  it('are listed to members in pages, and not to agents', async () => {
    const home = await createCompany(world);
    const viewer = await addMember(home, 'viewer');
    await addMember(home, 'operator');
    const path = `/api/companies/${home.id}/members`;
    const first = await as(world.app, viewer).get(`${path}?limit=2`);
    const rest = await as(world.app, viewer).get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect([first.body.items.length, rest.body.items.length, rest.body.nextCursor]).toEqual([
      2,
      1,
      null,
    ]);
    expect(first.body.items[0].since).toMatch(/^\d{4}-.*\.\d{3}Z$/);
    const agent = callerOf(await createAgent(home));
    expect((await as(world.app, agent).get(path)).body.code).toBe('operator_only');
  });

  it('are those whose name or email contains a text, in any case, also beyond the first page', async () => {
    const home = await createCompany(world);
    const [one, other] = [await addMember(home, 'viewer'), await addMember(home, 'viewer')];
    await addMember(home, 'operator');
    const rename =
      'update agents.memberships set name = $3, email = $4 where company_id = $1 and operator_id = $2';
    await world.sql(rename, [home.id, one.operatorId, 'Çelik 100%', 'c@example.org']);
    await world.sql(rename, [home.id, other.operatorId, 'Dora', 'ÇELIK@example.org']);
    const found = async (query: string) =>
      (await as(world.app, one).get(`/api/companies/${home.id}/members?${query}`)).body;
    const first = await found(`q=${encodeURIComponent('çELik')}&limit=1`);
    const next = `q=${encodeURIComponent('çELik')}&limit=1&cursor=${first.nextCursor}`;
    const names = [first, await found(next)].flatMap(({ items }) => items);
    expect(names.map(({ name }: { name: string }) => name)).toEqual(['Dora', 'Çelik 100%']);
    expect((await found(`q=${encodeURIComponent('0%')}`)).items).toHaveLength(1);
    expect((await found('q=nobody')).items).toEqual([]);
  });

  it('get other roles from owners only; unknown members are 404', async () => {
    const home = await createCompany(world);
    const viewer = await addMember(home, 'viewer');
    const path = `/api/companies/${home.id}/members/${viewer.operatorId}`;
    const refused = await as(world.app, viewer).patch(path).send({ role: 'owner' });
    expect(refused.body.code).toBe('role_insufficient');
    expect((await as(world.app, home.owner).patch(path).send({ role: 'operator' })).body.role).toBe(
      'operator',
    );
    expect((await as(world.app, home.owner).patch(path).send({ role: 'king' })).status).toBe(400);
    const unknown = `/api/companies/${home.id}/members/${newId()}`;
    expect((await as(world.app, home.owner).patch(unknown).send({ role: 'viewer' })).status).toBe(
      404,
    );
  });

  it('may leave with any role, and are removed by owners only', async () => {
    const home = await createCompany(world);
    const [leaving, staying] = [await addMember(home, 'viewer'), await addMember(home, 'operator')];
    const remove = (caller: typeof leaving, id: string) =>
      as(world.app, caller).delete(`/api/companies/${home.id}/members/${id}`);
    expect((await remove(leaving, staying.operatorId)).body.code).toBe('role_insufficient');
    expect((await remove(leaving, leaving.operatorId)).status).toBe(204);
    expect((await remove(home.owner, staying.operatorId)).status).toBe(204);
    expect((await remove(home.owner, staying.operatorId)).status).toBe(404);
    const activity = await as(world.app, home.owner).get(
      `/api/companies/${home.id}/activity?action=member.removed`,
    );
    expect(activity.body.items.map((item: { actor: { id: string } }) => item.actor.id)).toEqual([
      home.owner.operatorId,
      leaving.operatorId,
    ]);
  });
});

describe('an unverified email', () => {
  it('is marked in the members, in the audit log, and in the names of authors', async () => {
    const home = await createCompany(world);
    const [known, unverified] = [await addMember(home, 'owner'), await addMember(home, 'owner')];
    world.auth.unverified.add(unverified.operatorId);
    const { body } = await as(world.app, home.owner).get(`/api/companies/${home.id}/members`);
    const members = body.items as { operatorId: string; emailVerified: boolean }[];
    const markOf = ({ operatorId: id }: { operatorId: string }) =>
      members.find(({ operatorId }) => operatorId === id)?.emailVerified;
    expect([markOf(known), markOf(unverified)]).toEqual([true, false]);
    await as(world.app, unverified)
      .patch(`/api/companies/${home.id}`)
      .send({ name: 'Renamed' })
      .expect(200);
    const activity = await as(world.app, home.owner).get(
      `/api/companies/${home.id}/activity?action=company.renamed`,
    );
    expect(activity.body.items[0].actor).toMatchObject({ emailVerified: false });
    const { names } = (
      await as(world.app, serviceCaller('notes'))
        .post('/internal/authors/describe')
        .send({
          companyId: home.id,
          agentId: null,
          agentIds: [],
          operatorIds: [known.operatorId, unverified.operatorId],
        })
        .expect(200)
    ).body as { names: Record<string, string> };
    expect(names[unverified.operatorId]).toMatch(/ \(unverified\)$/);
    expect(names[known.operatorId]).not.toMatch(/unverified/);
  });
});

describe('the last owner', () => {
  it('can neither leave nor be demoted', async () => {
    const home = await createCompany(world);
    await addMember(home, 'operator');
    const call = as(world.app, home.owner);
    const path = `/api/companies/${home.id}/members/${home.owner.operatorId}`;
    expect((await call.delete(path)).body.code).toBe('last_owner');
    expect((await call.patch(path).send({ role: 'viewer' })).body.code).toBe('last_owner');
    expect((await call.patch(path).send({ role: 'owner' })).status).toBe(200);
  });

  it('is the last one who can sign in: owners who are disabled, or whose account is in a handover, do not count', async () => {
    const home = await createCompany(world);
    const disabled = await addMember(home, 'owner');
    world.auth.disabled.add(disabled.operatorId);
    const call = as(world.app, home.owner);
    const path = `/api/companies/${home.id}/members`;
    expect((await call.delete(`${path}/${home.owner.operatorId}`)).body.code).toBe('last_owner');
    const demotion = await call.patch(`${path}/${home.owner.operatorId}`).send({ role: 'viewer' });
    expect(demotion.body.code).toBe('last_owner');
    expect((await call.delete(`${path}/${disabled.operatorId}`)).status).toBe(204);
  });

  it('remains when two owners leave concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await createCompany(world);
      const owners = [home.owner, await addMember(home, 'owner')];
      const responses = await Promise.all(
        owners.map((owner) =>
          as(world.app, owner).delete(`/api/companies/${home.id}/members/${owner.operatorId}`),
        ),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    }
  });

  it('remains when one owner leaves while the other is demoted', async () => {
    const home = await createCompany(world);
    const other = await addMember(home, 'owner');
    const path = `/api/companies/${home.id}/members`;
    const responses = await Promise.all([
      as(world.app, other).patch(`${path}/${home.owner.operatorId}`).send({ role: 'viewer' }),
      as(world.app, other).delete(`${path}/${other.operatorId}`),
    ]);
    const [demoted, left] = responses.map(({ status }) => status);
    // An owner who has left cannot demote anybody.
    expect([
      [200, 409],
      [403, 204],
    ]).toContainEqual([demoted, left]);
    const [row] = await world.sql(
      `select count(*)::int as owners from agents.memberships where company_id = $1 and role = 'owner'`,
      [home.id],
    );
    expect(row).toEqual({ owners: 1 });
  });
});

describe('reading the audit log', () => {
  it('is open to members, newest first in pages, filtered by actor, action and entity', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { name: 'Ada' });
    await createAgent(home, { name: 'Bob' });
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/pause`);
    const viewer = as(world.app, await addMember(home, 'viewer'));
    const path = `/api/companies/${home.id}/activity`;
    const all = await viewer.get(path);
    expect(namesOf(all.body, 'action')[0]).toBe('agent.paused');
    const collected: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await viewer.get(`${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      collected.push(...page.body.items);
      cursor = page.body.nextCursor as string | null;
    }
    expect(collected).toEqual(all.body.items);
    const ofAda = await viewer.get(`${path}?entityId=${ada.id}`);
    expect(namesOf(ofAda.body, 'action')).toEqual(['agent.paused', 'agent.created']);
    const created = await viewer.get(`${path}?action=agent.created&actor=${home.owner.operatorId}`);
    expect(created.body.items).toHaveLength(2);
    expect((await viewer.get(`${path}?actor=${newId()}`)).body.items).toEqual([]);
    expect((await viewer.get(`${path}?action=nonsense`)).status).toBe(400);
    expect((await as(world.app, callerOf(ada)).get(path)).body.code).toBe('operator_only');
  });
});
