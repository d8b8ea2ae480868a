import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, localOperatorId, newId } from '@commonplace/contracts';
import { agentCaller, as, grant, localOperatorCaller, operatorCaller } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  callerOf,
  createCompany,
  createKey,
  createAgent,
  addMember,
  namesOf,
  startRun,
} from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('creating a company', () => {
  it('makes the administrator its owner, and logs it', async () => {
    const { id, owner, company } = await createCompany(world, 'Founders');
    expect(company).toMatchObject({ name: 'Founders', status: 'active' });
    const members = await as(world.app, owner).get(`/api/companies/${id}/members`);
    expect(members.body.items).toMatchObject([
      { operatorId: owner.operatorId, email: owner.email, name: owner.name, role: 'owner' },
    ]);
    const activity = await as(world.app, owner).get(`/api/companies/${id}/activity`);
    expect(namesOf(activity.body, 'action').toSorted()).toEqual([
      'company.created',
      'member.added',
    ]);
  });

  it('is rejected for all others', async () => {
    const post = (caller: Parameters<typeof as>[1]) =>
      as(world.app, caller).post('/api/companies').send({ name: 'Nope' });
    expect((await post(operatorCaller())).body.code).toBe('administrator_only');
    expect((await post(agentCaller())).body.code).toBe('operator_only');
    expect((await post(null)).status).toBe(401);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['white space around', { name: ' x ' }],
    ['NUL', { name: 'a\u0000b' }],
    ['a lone surrogate', { name: 'a\ud800b' }],
    ['a line break', { name: 'a\nb' }],
    ['a line separator', { name: 'a\u2028b' }],
    ['an override of direction', { name: 'a\u202eb' }],
    ['an isolate', { name: 'a\u2066b' }],
    ['201 characters', { name: 'x'.repeat(201) }],
    ['an unknown field', { name: 'x', id: newId() }],
  ])('rejects %s with 400', async (_what, body) => {
    const caller = operatorCaller({ isAdmin: true });
    const response = await as(world.app, caller).post('/api/companies').send(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });
});

describe('the currency of a company', () => {
  it('is USD until an owner sets another, which is logged and shown in every list', async () => {
    const { id, owner, company } = await createCompany(world, 'Yen and more');
    expect(company).toMatchObject({ currency: 'USD' });
    const asOwner = as(world.app, owner);
    const changed = await asOwner.patch(`/api/companies/${id}`).send({ currency: 'JPY' });
    expect(changed.body).toMatchObject({ name: 'Yen and more', currency: 'JPY' });
    const listed = await asOwner.get('/api/companies');
    expect(listed.body.items).toContainEqual(expect.objectContaining({ id, currency: 'JPY' }));
    const local = await as(world.app, localOperatorCaller()).get('/api/companies?limit=200');
    expect(local.body.items).toContainEqual(expect.objectContaining({ id, currency: 'JPY' }));
    const activity = await asOwner.get(`/api/companies/${id}/activity`);
    expect(activity.body.items[0]).toMatchObject({
      action: 'company.currency_changed',
      detail: { from: 'USD', to: 'JPY' },
    });
  });

  it.each(['usd', 'US', 'ZZZ', '', 'EURO'])('rejects "%s" with 400', async (currency) => {
    const { id, owner } = await createCompany(world, 'Doubloons');
    const response = await as(world.app, owner).patch(`/api/companies/${id}`).send({ currency });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });
});

describe('listing companies', () => {
  it('returns an operator its own by name in pages, and no others', async () => {
    const homes = [
      await createCompany(world, 'Cedar'),
      await createCompany(world, 'Alder'),
      await createCompany(world, 'Birch'),
    ];
    const caller = operatorCaller();
    for (const { id } of homes) {
      await world.sql(
        `insert into agents.memberships values ($1, $2, 'x@example.org', 'X', 'viewer', now())`,
        [id, caller.operatorId],
      );
    }
    const first = await as(world.app, caller).get('/api/companies?limit=2');
    expect(namesOf(first.body)).toEqual(['Alder', 'Birch']);
    const rest = await as(world.app, caller).get(
      `/api/companies?limit=2&cursor=${first.body.nextCursor}`,
    );
    expect([namesOf(rest.body), rest.body.nextCursor]).toEqual([['Cedar'], null]);
    expect((await as(world.app, operatorCaller()).get('/api/companies')).body.items).toEqual([]);
  });

  it('returns an agent its own company, and a caller that selected one that company', async () => {
    const home = await createCompany(world, 'Named');
    const agent = await createAgent(home);
    const ofAgent = await as(world.app, callerOf(agent)).get('/api/companies');
    expect(namesOf(ofAgent.body)).toEqual(['Named']);
    const narrowed = { ...home.owner, selectedCompanyId: home.id };
    expect(namesOf((await as(world.app, narrowed).get('/api/companies')).body)).toEqual(['Named']);
  });

  it('returns the local board operator every company, including those it did not create', async () => {
    const { id } = await createCompany(world, 'Of another operator');
    const listed = await as(world.app, localOperatorCaller()).get('/api/companies?limit=200');
    expect(namesOf(listed.body, 'id')).toContain(id);
  });

  it.each(['garbage', 'eyJvZiI6MX0', '%00', ''])(
    'refuses the cursor "%s" with 400',
    async (cursor) => {
      const response = await as(world.app, operatorCaller()).get(`/api/companies?cursor=${cursor}`);
      expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    },
  );
});

describe('one company', () => {
  it('is readable by its members and agents; another company is 403, even if unknown', async () => {
    const home = await createCompany(world);
    const otherCompany = await createCompany(world);
    const agent = await createAgent(home);
    const path = `/api/companies/${home.id}`;
    for (const caller of [home.owner, await addMember(home, 'viewer'), callerOf(agent)]) {
      expect(
        (
          await as(world.app, caller).get(
            path.toUpperCase().replace('/API/COMPANIES', '/api/companies'),
          )
        ).body.id,
      ).toBe(home.id);
    }
    for (const caller of [otherCompany.owner, agentCaller()]) {
      expect((await as(world.app, caller).get(path)).body.code).toBe('cross_company');
      expect((await as(world.app, caller).get(`/api/companies/${newId()}`)).status).toBe(403);
    }
    expect((await as(world.app, home.owner).get('/api/companies/nonsense')).status).toBe(400);
  });

  it('can be renamed by owners only', async () => {
    const home = await createCompany(world, 'Before');
    const patch = (caller: Parameters<typeof as>[1]) =>
      as(world.app, caller).patch(`/api/companies/${home.id}`).send({ name: 'After' });
    expect((await patch(await addMember(home, 'operator'))).body.code).toBe('role_insufficient');
    expect((await patch(callerOf(await createAgent(home)))).body.code).toBe('operator_only');
    expect((await patch(home.owner)).body.name).toBe('After');
    const activity = await as(world.app, home.owner).get(
      `/api/companies/${home.id}/activity?action=company.renamed`,
    );
    expect(activity.body.items[0].detail).toEqual({ from: 'Before', to: 'After' });
  });
});

describe('an archived company', () => {
  it('is readable and rejects every write with 409, even if the identity is outdated', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home);
    const { owner } = home;
    const archived = await as(world.app, owner)
      .patch(`/api/companies/${home.id}`)
      .send({ status: 'archived' });
    expect(archived.body.status).toBe('archived');
    const knowing = {
      ...owner,
      companies: [grant(home.id, 'owner', { companyStatus: 'archived' })],
    };
    for (const caller of [owner, knowing]) {
      const call = as(world.app, caller);
      const writes = await Promise.all([
        call.patch(`/api/companies/${home.id}`).send({ name: 'Other' }),
        call.post(`/api/companies/${home.id}/agents`).send({ name: 'B', role: 'r' }),
        call.patch(`/api/agents/${agent.id}`).send({ name: 'B' }),
        call.post(`/api/agents/${agent.id}/pause`),
        call.post(`/api/agents/${agent.id}/keys`).send({ name: 'k' }),
        call.post(`/api/agents/${agent.id}/runs`).send({}),
        call
          .post(`/api/companies/${home.id}/invites`)
          .send({ email: 'a@b.example', role: 'viewer' }),
        call.delete(`/api/companies/${home.id}/members/${owner.operatorId}`),
      ]);
      expect(writes.map((response) => response.body.code)).toEqual(
        writes.map(() => 'company_archived'),
      );
      expect((await call.get(`/api/agents/${agent.id}`)).status).toBe(200);
      expect((await call.get(`/api/companies/${home.id}`)).body.name).toBe('Acme');
    }
  });

  it('has no running runs and no active keys, and resumes no run when activated', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home);
    const { run } = await startRun(home, agent, { reserveCents: 5 });
    await createKey(home, agent);
    const patch = (body: object) =>
      as(world.app, home.owner).patch(`/api/companies/${home.id}`).send(body);
    await patch({ status: 'archived' });
    expect((await patch({ status: 'archived' })).status).toBe(200);
    const woken = await patch({ status: 'active', name: 'Woken' });
    expect(woken.body).toMatchObject({ status: 'active', name: 'Woken' });
    const read = await as(world.app, home.owner).get(`/api/runs/${run.id}`);
    expect(read.body).toMatchObject({ status: 'cancelled', costCents: 5 });
  });
});

describe('the local board operator', () => {
  it('gets a membership of what it creates, and may change what it did not create', async () => {
    const made = await as(world.app, localOperatorCaller())
      .post('/api/companies')
      .send({ name: 'L' });
    const id = companyId.parse(made.body.id);
    const [row] = await world.sql(
      'select operator_id from agents.memberships where company_id = $1',
      [id],
    );
    expect(row).toEqual({ operator_id: localOperatorId });
    const other = await createCompany(world);
    const caller = localOperatorCaller({ companies: [grant(other.id)] });
    const response = await as(world.app, caller)
      .patch(`/api/companies/${other.id}`)
      .send({ name: 'Renamed' });
    expect(response.body.name).toBe('Renamed');
  });
});
