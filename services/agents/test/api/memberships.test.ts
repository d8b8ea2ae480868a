import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkOperatorCallerContract,
  listMembershipsContract,
  localOperatorId,
  newId,
  type Membership,
} from '@commonplace/contracts';
import { as, localOperatorCaller, operatorCaller, serviceCaller } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { createCompany, addMember } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Listed = { memberships: Membership[]; isComplete: boolean };
const list = async (body: object): Promise<Listed> => {
  const response = await as(world.app, serviceCaller('gateway'))
    .post('/internal/memberships/list')
    .send({ isLocal: false, limit: 100, ...body });
  expect(response.status).toBe(200);
  return response.body as Listed;
};
const adopt = (operator: { operatorId: string; email: string; name: string }) =>
  as(world.app, serviceCaller('auth'))
    .post('/internal/memberships/adopt-local')
    .send({ operator: { id: operator.operatorId, email: operator.email, name: operator.name } });

describe('the memberships of an operator', () => {
  it('are listed by name, with role and status, and report incompleteness', async () => {
    const [first, second] = [
      await createCompany(world, 'Alder'),
      await createCompany(world, 'Birch'),
    ];
    const viewer = await addMember(second, 'viewer');
    await world.sql(
      `insert into agents.memberships values ($1, $2, 'x@example.org', 'X', 'operator', now())`,
      [first.id, viewer.operatorId],
    );
    const { operatorId } = viewer;
    const alder = {
      companyId: first.id,
      companyName: 'Alder',
      role: 'operator',
      companyStatus: 'active',
    };
    const birch = { ...alder, companyId: second.id, companyName: 'Birch', role: 'viewer' };
    expect(await list({ operatorId })).toEqual({ memberships: [alder, birch], isComplete: true });
    expect(await list({ operatorId, limit: 1 })).toEqual({
      memberships: [alder],
      isComplete: false,
    });
    expect(await list({ operatorId, limit: 2 })).toMatchObject({ isComplete: true });
    expect((await list({ operatorId, companyId: second.id })).memberships).toEqual([birch]);
    expect((await list({ operatorId: newId() })).memberships).toEqual([]);
    expect((await list({ operatorId: newId(), companyId: second.id })).memberships).toEqual([]);
    expect((await list({ operatorId, companyId: newId() })).memberships).toEqual([]);
  });

  it('are empty for the background work of a disabled operator', async () => {
    const home = await createCompany(world);
    const { operatorId } = await addMember(home, 'operator');
    const forNotes = async (isLocal: boolean) => {
      const body = { operatorId, isLocal, companyId: home.id, limit: 1 };
      const response = await as(world.app, serviceCaller('notes'))
        .post(listMembershipsContract.path)
        .send(body);
      return (response.body as Listed).memberships;
    };
    expect(await forNotes(false)).toHaveLength(1);
    world.auth.disabled.add(operatorId);
    expect(await forNotes(false)).toEqual([]);
    expect(await forNotes(true)).toHaveLength(1);
  });

  it('name the access epoch of the operator to the notes service only, as its own lookup does', async () => {
    const home = await createCompany(world);
    const { operatorId } = await addMember(home, 'operator');
    world.auth.epochs.set(operatorId, 7);
    const query = { operatorId, isLocal: false, companyId: home.id };
    const asNotes = as(world.app, serviceCaller('notes'));
    const listed = await asNotes.post(listMembershipsContract.path).send({ ...query, limit: 1 });
    expect(listed.body).toMatchObject({ memberships: [{ role: 'operator' }], accessEpoch: 7 });
    const check = { ...query, sessionId: null };
    const checked = await asNotes.post(checkOperatorCallerContract.path).send(check);
    expect(checked.body.operator).toMatchObject({ accessEpoch: 7 });
    expect(await list(query)).not.toHaveProperty('accessEpoch');
  });

  it('of the local board operator are all companies, as owner', async () => {
    const { id } = await createCompany(world, 'Of another operator');
    const local = { operatorId: localOperatorId, isLocal: true };
    const { memberships } = await list({ ...local, limit: 200 });
    expect(memberships.find(({ companyId }) => companyId === id)?.role).toBe('owner');
    expect(memberships.every(({ role }) => role === 'owner')).toBe(true);
    expect((await list({ ...local, companyId: id })).memberships).toHaveLength(1);
    expect((await list({ ...local, companyId: newId() })).memberships).toEqual([]);
    expect((await list({ ...local, limit: 1 })).isComplete).toBe(false);
  });
});

describe('transferring the local memberships', () => {
  it('gives them to the first operator, with the stronger role, and is idempotent', async () => {
    const make = async (name: string) =>
      (await as(world.app, localOperatorCaller()).post('/api/companies').send({ name })).body
        .id as string;
    const [plain, known] = [await make('Plain'), await make('Known')];
    const newOwner = operatorCaller();
    await world.sql(
      `insert into agents.memberships values ($1, $2, 'x@example.org', 'X', 'viewer', now())`,
      [known, newOwner.operatorId],
    );
    const responses = await Promise.all([adopt(newOwner), adopt(newOwner)]);
    const counts = responses.map(({ body }) => (body as { adopted: number }).adopted);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect((await adopt(newOwner)).body).toEqual({ adopted: 0 });
    const { memberships } = await list({ operatorId: newOwner.operatorId });
    expect(memberships).toMatchObject([
      { companyId: known, role: 'owner' },
      { companyId: plain, role: 'owner' },
    ]);
    const left = await world.sql('select 1 from agents.memberships where operator_id = $1', [
      localOperatorId,
    ]);
    expect(left).toEqual([]);
    const audit = await world.sql(
      `select action, entity_id from agents.activity where actor_id = $1 and company_id = $2
       order by action`,
      [newOwner.operatorId, plain],
    );
    expect(audit).toEqual([
      { action: 'member.added', entity_id: newOwner.operatorId },
      { action: 'member.removed', entity_id: localOperatorId },
    ]);
  });
});
