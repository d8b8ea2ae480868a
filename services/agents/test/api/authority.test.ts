import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type CompanyAccess, type RouteContract } from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { as, localOperatorCaller, whileItWaits } from '@commonplace/testkit';
import { routes } from '../../src/routes/index.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  callerOf,
  createCompany,
  createConnection,
  createKey,
  createAgent,
  addMember,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

/**
 * The signed identity holds what was true when the request started. Each case sends one that was true
 * then, and is outdated when the handler runs.
 */
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type CompanyContract = RouteContract & { readonly access: CompanyAccess };

/** Every route that changes a company. */
const mutatingRoutes = (): CompanyContract[] =>
  routes(world.deps)
    .map(({ contract }) => contract)
    .filter((contract): contract is CompanyContract => contract.access.kind === 'company')
    .filter(({ method }) => method !== 'get');

const routesOfOperators = (): CompanyContract[] =>
  mutatingRoutes().filter(({ access }) => access.operators !== 'never');

const bodies: Readonly<Record<string, object>> = {
  createAgent: { name: 'Bob', role: 'writer' },
  createInvite: { email: 'late@example.org', role: 'owner' },
  createKey: { name: 'late' },
  finishRun: { status: 'succeeded' },
  reportUsage: { mutationId: 'late', costCents: 1 },
  updateAgent: { name: 'Late' },
  updateCompany: { name: 'Late' },
  updateMember: { role: 'viewer' },
};

/** A company with one entity of every kind that a path may name. */
const createEntities = async () => {
  const home = await createCompany(world);
  const agent = await createAgent(home);
  const key = await createKey(home, agent);
  const { run } = await startRun(home, agent);
  const connection = await createConnection(home, agent);
  const other = await addMember(home, 'operator');
  const invited = await as(world.app, home.owner)
    .post(`/api/companies/${home.id}/invites`)
    .send({ email: `${newId()}@example.org`, role: 'viewer' })
    .expect(201);
  const params: Readonly<Record<string, string>> = {
    companyId: home.id,
    agentId: agent.id,
    keyId: key.id,
    connectionId: connection.id,
    runId: run.id,
    operatorId: other.operatorId,
    inviteId: (invited.body as { id: string }).id,
  };
  return { home, agent, key, run, params };
};

const send = (
  contract: RouteContract,
  caller: OperatorCaller | AgentCaller,
  params: Readonly<Record<string, string>>,
) => {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '');
  return as(world.app, caller)
    [contract.method](path)
    .send(bodies[contract.operationId] ?? {});
};

const everythingIn = async ({ id }: TestCompany) => {
  const tables = [
    'companies',
    'memberships',
    'invites',
    'agents',
    'keys',
    'connections',
    'runs',
    'activity',
  ];
  const counted = tables.map((table) =>
    world.sql(`select to_jsonb(t) as row from agents.${table} t where company_id = $1 order by 1`, [
      id,
    ]),
  );
  return Promise.all(counted);
};

const codeOf = ({ body }: { readonly body: unknown }) => (body as { code?: string }).code;

describe('an identity with the role owner', () => {
  it.each([
    ['whose membership has ended', 'delete from agents.memberships', 'cross_company'],
    [
      'who is no owner any more',
      'update agents.memberships set role = $$viewer$$',
      'role_insufficient',
    ],
  ])('%s, changes nothing by any route', async (_who, change, code) => {
    const { home, params } = await createEntities();
    const former = await addMember(home, 'owner');
    await world.sql(`${change} where operator_id = $1`, [former.operatorId]);
    const before = await everythingIn(home);
    const contracts = routesOfOperators();
    expect(contracts.length).toBeGreaterThan(12);
    for (const contract of contracts) {
      const response = await send(contract, former, params);
      expect([contract.operationId, response.status, codeOf(response)]).toEqual([
        contract.operationId,
        403,
        code,
      ]);
    }
    expect(await everythingIn(home)).toEqual(before);
  });

  it('is rejected when its membership ends while the change waits for a lock', async () => {
    for (const contract of routesOfOperators()) {
      const { home, params } = await createEntities();
      const former = await addMember(home, 'owner');
      const response = await whileItWaits(
        {
          ...world,
          lock: `delete from agents.memberships where operator_id = '${former.operatorId}'`,
          end: 'commit',
        },
        () => send(contract, former, params),
      );
      expect([contract.operationId, codeOf(response)]).toEqual([
        contract.operationId,
        'cross_company',
      ]);
    }
  });

  it('succeeds when the removal of its membership is rolled back', async () => {
    const { home, params } = await createEntities();
    const owner = await addMember(home, 'owner');
    const [contract] = mutatingRoutes().filter(({ operationId }) => operationId === 'createKey');
    const response = await whileItWaits(
      {
        ...world,
        lock: `delete from agents.memberships where operator_id = '${owner.operatorId}'`,
        end: 'rollback',
      },
      () => send(contract as CompanyContract, owner, params),
    );
    expect(response.status).toBe(201);
  });
});

describe('a removal and a concurrent change by the removed member', () => {
  it('are serialized: a rejected change leaves nothing behind', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { home, agent } = await createEntities();
      const leaving = await addMember(home, 'owner');
      const [removed, made] = await Promise.all([
        as(world.app, home.owner).delete(`/api/companies/${home.id}/members/${leaving.operatorId}`),
        as(world.app, leaving).post(`/api/agents/${agent.id}/keys`).send({ name: 'race' }),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 403]).toContain(made.status);
      const actions = await world.sql(
        `select action, detail->>'name' as name from agents.activity
         where company_id = $1 and (action = 'member.removed' or detail->>'name' = 'race')
         order by at, id`,
        [home.id],
      );
      expect(actions.filter(({ action }) => action === 'key.created')).toHaveLength(
        made.status === 201 ? 1 : 0,
      );
    }
  });

  it('leave one of two owners who remove each other, and the removed one changes nothing', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await createCompany(world);
      const owners = [home.owner, await addMember(home, 'owner')] as const;
      const remove = (by: OperatorCaller, whom: OperatorCaller) =>
        as(world.app, by).delete(`/api/companies/${home.id}/members/${whom.operatorId}`);
      const responses = await Promise.all([
        remove(owners[0], owners[1]),
        remove(owners[1], owners[0]),
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 403]);
    }
  });
});

describe('an agent whose authority has ended', () => {
  it('cannot start, renew or finish a run with a key revoked in the meantime', async () => {
    for (const name of ['startRun', 'renewRun', 'finishRun', 'reportUsage']) {
      const { home, agent, key, params } = await createEntities();
      const caller = callerOf(agent, { keyId: key.id });
      await as(world.app, home.owner).delete(`/api/agents/${agent.id}/keys/${key.id}`).expect(204);
      const [contract] = mutatingRoutes().filter(({ operationId }) => operationId === name);
      const response = await send(contract as CompanyContract, caller, params);
      expect([name, response.status, codeOf(response)]).toEqual([name, 401, 'invalid_token']);
    }
  });

  it('cannot start a run with a key revoked while the start waits for a lock', async () => {
    const { agent, key, params } = await createEntities();
    const [contract] = mutatingRoutes().filter(({ operationId }) => operationId === 'startRun');
    const response = await whileItWaits(
      {
        ...world,
        lock: `update agents.keys set revoked_at = now() where id = '${key.id}'`,
        end: 'commit',
      },
      () => send(contract as CompanyContract, callerOf(agent, { keyId: key.id }), params),
    );
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('cannot start or finish a run once it is terminated', async () => {
    const { home, agent, key, run, params } = await createEntities();
    await as(world.app, home.owner).post(`/api/agents/${agent.id}/terminate`).expect(200);
    const byKey = callerOf(agent, { keyId: key.id });
    const byRun = callerOf(agent, { keyId: null, runId: run.id });
    for (const [name, caller] of [
      ['startRun', byKey],
      ['finishRun', byKey],
      ['finishRun', byRun],
      ['renewRun', byRun],
    ] as const) {
      const [contract] = mutatingRoutes().filter(({ operationId }) => operationId === name);
      expect([401, 409]).toContain(
        (await send(contract as CompanyContract, caller, params)).status,
      );
    }
    const [row] = await world.sql('select status from agents.runs where id = $1', [run.id]);
    expect(row).toEqual({ status: 'cancelled' });
  });
});

describe('creating a company under changed authority', () => {
  it('is allowed to current administrators and to the local operator', async () => {
    const caller = (await createCompany(world)).owner;
    const create = (by: OperatorCaller) =>
      as(world.app, by).post('/api/companies').send({ name: 'Late' });
    world.auth.demoted.add(caller.operatorId);
    expect(codeOf(await create(caller))).toBe('administrator_only');
    world.auth.demoted.delete(caller.operatorId);
    expect((await create(caller)).status).toBe(201);
    const local = localOperatorCaller();
    world.auth.demoted.add(local.operatorId);
    expect((await create(local)).status).toBe(201);
  });
});
