import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type CompanyAccess, type RouteContract } from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { as, localOperatorCaller, whileItWaits } from '@commonplace/testkit';
import { routes } from '../../src/routes/index.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import { callerOf, found, giveKey, hire, join, start, type Home } from '../support/inhabitants.ts';

/**
 * The signed identity says what was true when the request began. Every case here sends one that was true
 * then, and is not any more when the handler runs.
 */
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type CompanyContract = RouteContract & { readonly access: CompanyAccess };

/** Every route that changes something in a company. */
const changing = (): CompanyContract[] =>
  routes(world.deps)
    .map(({ contract }) => contract)
    .filter((contract): contract is CompanyContract => contract.access.kind === 'company')
    .filter(({ method }) => method !== 'get');

const bodies: Readonly<Record<string, object>> = {
  createAgent: { name: 'Bob', role: 'writer' },
  createInvite: { email: 'late@example.org', role: 'owner' },
  createKey: { name: 'late' },
  finishRun: { status: 'succeeded' },
  updateAgent: { name: 'Late' },
  updateCompany: { name: 'Late' },
  updateMember: { role: 'viewer' },
};

/** A company with one of everything that a path may name. */
const furnish = async () => {
  const home = await found(world);
  const agent = await hire(home);
  const key = await giveKey(home, agent);
  const { run } = await start(home, agent);
  const other = await join(home, 'operator');
  const invited = await as(world.app, home.owner)
    .post(`/api/companies/${home.id}/invites`)
    .send({ email: `${newId()}@example.org`, role: 'viewer' })
    .expect(201);
  const params: Readonly<Record<string, string>> = {
    companyId: home.id,
    agentId: agent.id,
    keyId: key.id,
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

const everythingIn = async ({ id }: Home) => {
  const tables = ['companies', 'memberships', 'invites', 'agents', 'keys', 'runs', 'activity'];
  const counted = tables.map((table) =>
    world.sql(`select to_jsonb(t) as row from agents.${table} t where company_id = $1 order by 1`, [
      id,
    ]),
  );
  return Promise.all(counted);
};

const codeOf = ({ body }: { readonly body: unknown }) => (body as { code?: string }).code;

describe('an identity that says owner', () => {
  it.each([
    ['whose membership has ended', 'delete from agents.memberships', 'cross_company'],
    [
      'who is no owner any more',
      'update agents.memberships set role = $$viewer$$',
      'role_insufficient',
    ],
  ])('%s, changes nothing by any route', async (_who, change, code) => {
    const { home, params } = await furnish();
    const former = await join(home, 'owner');
    await world.sql(`${change} where operator_id = $1`, [former.operatorId]);
    const before = await everythingIn(home);
    const contracts = changing();
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

  it('is refused when its membership ends while the change waits for a lock', async () => {
    for (const contract of changing()) {
      const { home, params } = await furnish();
      const former = await join(home, 'owner');
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

  it('goes on when the ending of its membership is rolled back', async () => {
    const { home, params } = await furnish();
    const owner = await join(home, 'owner');
    const [contract] = changing().filter(({ operationId }) => operationId === 'createKey');
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

describe('a removal and a change of the removed at the same moment', () => {
  it('end as if one had come after the other: what was refused left nothing behind', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { home, agent } = await furnish();
      const leaving = await join(home, 'owner');
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

  it('two owners who remove each other leave one, and the removed one changes nothing', async () => {
    for (let round = 0; round < 8; round += 1) {
      const home = await found(world);
      const owners = [home.owner, await join(home, 'owner')] as const;
      const remove = (by: OperatorCaller, whom: OperatorCaller) =>
        as(world.app, by).delete(`/api/companies/${home.id}/members/${whom.operatorId}`);
      const answers = await Promise.all([
        remove(owners[0], owners[1]),
        remove(owners[1], owners[0]),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403]);
    }
  });
});

describe('an agent whose authority has ended', () => {
  it('starts, renews and finishes no run by a key that was revoked meanwhile', async () => {
    for (const name of ['startRun', 'renewRun', 'finishRun']) {
      const { home, agent, key, params } = await furnish();
      const caller = callerOf(agent, { keyId: key.id });
      await as(world.app, home.owner).delete(`/api/agents/${agent.id}/keys/${key.id}`).expect(204);
      const [contract] = changing().filter(({ operationId }) => operationId === name);
      const response = await send(contract as CompanyContract, caller, params);
      expect([name, response.status, codeOf(response)]).toEqual([name, 401, 'invalid_token']);
    }
  });

  it('starts no run by a key that is revoked while the start waits for a lock', async () => {
    const { agent, key, params } = await furnish();
    const [contract] = changing().filter(({ operationId }) => operationId === 'startRun');
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

  it('neither starts nor finishes a run once it is terminated', async () => {
    const { home, agent, key, run, params } = await furnish();
    await as(world.app, home.owner).post(`/api/agents/${agent.id}/terminate`).expect(200);
    const byKey = callerOf(agent, { keyId: key.id });
    const byRun = callerOf(agent, { keyId: null, runId: run.id });
    for (const [name, caller] of [
      ['startRun', byKey],
      ['finishRun', byKey],
      ['finishRun', byRun],
      ['renewRun', byRun],
    ] as const) {
      const [contract] = changing().filter(({ operationId }) => operationId === name);
      expect([401, 409]).toContain(
        (await send(contract as CompanyContract, caller, params)).status,
      );
    }
    const [row] = await world.sql('select status from agents.runs where id = $1', [run.id]);
    expect(row).toEqual({ status: 'cancelled' });
  });
});

describe('founding a company', () => {
  it('is for who is an administrator when it happens, and for the local operator', async () => {
    const caller = (await found(world)).owner;
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
