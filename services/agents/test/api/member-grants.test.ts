import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Agent, NoteGrant } from '@commonplace/contracts';
import { apiKeyDigests, pepperKeys, type OperatorCaller } from '@commonplace/identity';
import { as, grant, serviceCaller } from '@commonplace/testkit';
import { createWorld, currentPepper, type World } from '../support/agents-world.ts';
import {
  addMember,
  consentOf,
  createAgent,
  createCompany,
  createConnection,
  createKey,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let home: TestCompany;
let ada: Agent;
let viewer: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  home = await createCompany(world);
  ada = await createAgent(home);
  viewer = await addMember(home, 'viewer');
});

const grantOf = (folder: string, scope: NoteGrant['scope'] = 'read'): NoteGrant => ({
  folder,
  scope,
  mode: 'direct',
});
const sales = [grantOf('sales')];

const owner = () => as(world.app, home.owner);
const gateway = () => as(world.app, serviceCaller('gateway'));
const pathOf = ({ operatorId }: OperatorCaller) =>
  `/api/companies/${home.id}/members/${operatorId}`;
const change = (body: object, member = viewer) => owner().patch(pathOf(member)).send(body);

/** The viewer as the gateway identifies it. */
const asViewer = (grants?: NoteGrant[]) =>
  as(world.app, {
    ...viewer,
    companies: [grant(home.id, 'viewer', grants ? { grants } : {})],
  });

type Listed = { memberships: unknown[]; grantedMemberships?: { grants: unknown; role: string }[] };
const memberships = async (companyId?: string): Promise<Listed> => {
  const query = { operatorId: viewer.operatorId, isLocal: false, limit: 10, companyId };
  return (await gateway().post('/internal/memberships/list').send(query)).body as Listed;
};

describe('the grants of a viewer', () => {
  it('are everything until an owner sets them, are simplified, and can be taken back', async () => {
    const read = await asViewer().get(`/api/companies/${home.id}/members`);
    expect(read.body.items).toContainEqual(
      expect.objectContaining({ operatorId: viewer.operatorId, grants: null }),
    );
    const wanted = [grantOf('sales/2026'), grantOf('sales')];
    const limited = await change({ grants: wanted });
    expect(limited.body).toMatchObject({ role: 'viewer', grants: sales });
    expect((await change({ grants: null })).body.grants).toBeNull();
    expect((await change({ grants: [grantOf('', 'any')] })).body.grants).toBeNull();
    expect((await change({ grants: [] })).body.grants).toEqual([]);
  });

  it('are set by owners only', async () => {
    const { body } = await asViewer().patch(pathOf(viewer)).send({ grants: null });
    expect(body.code).toBe('role_insufficient');
    const operator = await addMember(home, 'operator');
    const refused = await as(world.app, operator).patch(pathOf(viewer)).send({ grants: sales });
    expect(refused.body.code).toBe('role_insufficient');
  });

  it('are for viewers: 400 for other roles, and a member of another role reaches all notes', async () => {
    const operator = await addMember(home, 'operator');
    expect((await change({ grants: sales }, operator)).status).toBe(400);
    expect((await change({ role: 'owner', grants: sales })).status).toBe(400);
    expect((await change({})).status).toBe(400);
    await change({ grants: sales });
    expect((await change({ role: 'operator' })).body).toMatchObject({
      role: 'operator',
      grants: null,
    });
    expect((await change({ role: 'viewer' })).body.grants).toBeNull();
    const lowered = await change({ role: 'viewer', grants: sales }, operator);
    expect(lowered.body).toMatchObject({ role: 'viewer', grants: sales });
    expect((await change({ role: 'viewer' }, operator)).body.grants).toEqual(sales);
  });

  it('are in the audit log, and an equal list is no change', async () => {
    await change({ grants: sales });
    await change({ grants: sales });
    const { body } = await owner().get(`/api/companies/${home.id}/activity?action=member.changed`);
    expect(body.items.map(({ detail }: { detail: object }) => detail)).toEqual([
      { from: 'viewer', to: 'viewer', grants: { from: null, to: sales } },
    ]);
  });

  it('come apart in the memberships, for all companies and for one', async () => {
    expect(await memberships()).toMatchObject({ memberships: [{ role: 'viewer' }] });
    await change({ grants: sales });
    for (const found of [await memberships(), await memberships(home.id)]) {
      expect(found).toMatchObject({
        memberships: [],
        grantedMemberships: [{ companyId: home.id, role: 'viewer', grants: sales }],
      });
    }
    const named = { operatorId: viewer.operatorId, isLocal: false, sessionId: null };
    const { body } = await as(world.app, serviceCaller('notes'))
      .post('/internal/operators/check-caller')
      .send({ ...named, companyId: home.id });
    expect(body.operator.membership).toMatchObject({ role: 'viewer', grants: sales });
  });

  it('let the release before list no such membership, verify no such connection and know no such role', async () => {
    const { token } = await createConnection(home, ada, {
      operatorId: viewer.operatorId,
      scopes: ['notes:read'],
    });
    const before = async () => {
      const listed = await world.sql(
        'select role from agents.list_companies_of_operator($1, null, null, 10)',
        [viewer.operatorId],
      );
      const verified = await world.sql(
        'select role from agents.verify_granted_connection($1::bytea[], now())',
        [[Buffer.from(apiKeyDigests(pepperKeys([currentPepper]), token)[0], 'hex')]],
      );
      return [listed.length, verified.length];
    };
    expect(await before()).toEqual([1, 1]);
    await change({ grants: sales });
    expect(await before()).toEqual([0, 0]);
    const [row] = await world.sql('select role from agents.memberships where operator_id = $1', [
      viewer.operatorId,
    ]);
    expect(['viewer', 'operator', 'owner']).not.toContain(row?.['role']);
  });

  it('that an earlier release left to a member of another role do not count', async () => {
    await change({ grants: sales });
    const raise = `update agents.memberships set role = $2 where operator_id = $1`;
    await world.sql(raise, [viewer.operatorId, 'operator']);
    const now = await memberships();
    expect(now).toMatchObject({ memberships: [{ role: 'operator' }] });
    expect(now.grantedMemberships).toBeUndefined();
  });
});

describe('what a viewer with grants sees of the grants of others', () => {
  it('is what it reaches itself: names of folders are hidden, in the audit log as well', async () => {
    const secret = 'a secret folder';
    const grants = [grantOf('sales/2026', 'any'), grantOf(secret, 'any')];
    const limited = await createAgent(home, { name: 'Limited', grants });
    await createKey(home, limited, { grants: [grantOf(secret)] });
    await createConnection(home, limited, { grants: [grantOf(secret)] });
    await startRun(home, limited, { grants: [grantOf(secret)] });
    await owner()
      .patch(`/api/agents/${limited.id}`)
      .send({ grants: [...grants, grantOf(`${secret} 2`)] });
    const other = await addMember(home, 'viewer');
    await change({ grants: [grantOf(secret)] }, other);
    await change({ grants: sales });
    const paths = [
      `/api/companies/${home.id}/agents`,
      `/api/agents/${limited.id}`,
      `/api/agents/${limited.id}/keys`,
      `/api/companies/${home.id}/keys`,
      `/api/agents/${limited.id}/runs`,
      `/api/companies/${home.id}/runs`,
      `/api/companies/${home.id}/connections`,
      `/api/companies/${home.id}/members`,
      `/api/companies/${home.id}/activity?limit=100`,
    ];
    for (const path of paths) {
      const shown = await asViewer(sales).get(path);
      expect([path, shown.status, shown.text.includes(secret)]).toEqual([path, 200, false]);
    }
    const { body } = await asViewer(sales).get(`/api/agents/${limited.id}`);
    expect(body.grants).toEqual([grantOf('sales/2026')]);
    const unlimited = await asViewer().get(`/api/companies/${home.id}/activity?limit=100`);
    expect(unlimited.text).toContain(secret);
  });

  it('is all notes where others reach all: the owner and an agent are not given the grants of the viewer', async () => {
    await addMember(home, 'operator');
    await createKey(home, ada);
    await change({ grants: sales });
    const members = await asViewer(sales).get(`/api/companies/${home.id}/members`);
    type Shown = { role: string; grants: unknown };
    const shown = (members.body.items as Shown[]).map(({ role, grants }) => [role, grants]);
    expect(Object.fromEntries(shown)).toEqual({ owner: null, operator: null, viewer: sales });
    const { body } = await asViewer(sales).get(`/api/agents/${ada.id}`);
    expect(body.grants).toBeNull();
    const keys = await asViewer(sales).get(`/api/agents/${ada.id}/keys`);
    expect(keys.body.items).toEqual([expect.objectContaining({ grants: null })]);
  });
});

describe('the grants of a connection', () => {
  const consent = async (fields: object) => {
    const response = await as(world.app, serviceCaller('auth'))
      .post('/internal/connections/create')
      .send(consentOf(home, { agent: { agentId: ada.id }, ...fields }));
    const { connectionId } = response.body as { connectionId?: string };
    const shown = await owner().get(`/api/connections/${connectionId}`);
    return [response.status, (response.body as { code?: string }).code ?? shown.body.grants];
  };
  const refused = [403, 'folder_not_granted'];

  it('are at most those of its agent, and never narrowed in silence', async () => {
    expect(await consent({ grants: sales })).toEqual([201, sales]);
    await owner()
      .patch(`/api/agents/${ada.id}`)
      .send({ grants: [grantOf('sales', 'any'), grantOf('legal')] });
    expect(await consent({ grants: [grantOf('sales/2026', 'any')] })).toEqual([
      201,
      [grantOf('sales/2026', 'any')],
    ]);
    expect(await consent({ grants: [grantOf('legal', 'any')] })).toEqual(refused);
    expect(await consent({ grants: [grantOf('hr')] })).toEqual(refused);
    expect(await consent({ grants: [grantOf('')] })).toEqual(refused);
    expect(await consent({ grants: null })).toEqual([201, null]);
    expect(await consent({})).toEqual([201, null]);
    expect(await consent({ agent: { name: 'New' }, grants: [grantOf('hr')] })).toEqual([
      201,
      [grantOf('hr')],
    ]);
  });

  it('of a viewer are at most those of the viewer', async () => {
    const { operatorId } = viewer;
    await change({ grants: sales });
    const of = (grants: NoteGrant[]) => consent({ operatorId, scopes: ['notes:read'], grants });
    expect(await of(sales)).toEqual([201, sales]);
    expect(await of([grantOf('sales', 'any')])).toEqual(refused);
    expect(await of([grantOf('legal')])).toEqual(refused);
  });
});

describe('a connection of a viewer with grants', () => {
  it('reaches what its agent, the consent and the viewer all reach, from the moment they change', async () => {
    await owner()
      .patch(`/api/agents/${ada.id}`)
      .send({ grants: [grantOf('sales', 'any'), grantOf('legal', 'any')] });
    const { id, token } = await createConnection(home, ada, {
      operatorId: viewer.operatorId,
      scopes: ['notes:read'],
    });
    const verify = async () => {
      const digests = apiKeyDigests(pepperKeys([currentPepper]), token);
      const { body } = await gateway().post('/internal/connections/verify').send({ digests });
      return (body as { grantedConnection: { grants: unknown } }).grantedConnection.grants;
    };
    expect(await verify()).toEqual([grantOf('legal', 'any'), grantOf('sales', 'any')]);
    await change({ grants: [grantOf('sales/2026'), grantOf('hr')] });
    expect(await verify()).toEqual([grantOf('sales/2026')]);
    const named = { companyId: home.id, agentId: ada.id, connectionId: id };
    const checked = await as(world.app, serviceCaller('notes'))
      .post('/internal/agents/check')
      .send(named);
    expect(checked.body.agent.grants).toEqual([grantOf('sales/2026')]);
    await change({ grants: null });
    expect(await verify()).toEqual([grantOf('legal', 'any'), grantOf('sales', 'any')]);
  });
});
