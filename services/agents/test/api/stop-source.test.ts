import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as, serviceCaller } from '@commonplace/testkit';
import type { OperatorCaller } from '@commonplace/identity';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  addMember,
  createAgent,
  createCompany,
  createConnection,
  createKey,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const stop = (
  home: TestCompany,
  source: object,
  { operator, ...options }: { operator?: OperatorCaller; dryRun?: boolean; pause?: boolean } = {},
) => {
  const { operatorId, name, isLocal } = operator ?? home.owner;
  return as(world.app, serviceCaller('notes'))
    .post('/internal/sources/stop')
    .send({
      companyId: home.id,
      undoId: newId(),
      operator: { operatorId, name, isLocal },
      source,
      pause: true,
      dryRun: false,
      ...options,
    });
};

describe('stopping the source of an undo', () => {
  it('pauses the agent of a run, a key or a connection, and records the undo once', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const { run } = await startRun(home, ada);
    const key = await createKey(home, ada);
    const call = as(world.app, home.owner);
    const dry = await stop(home, { runId: run.id }, { dryRun: true });
    expect(dry.body).toEqual({ agentId: ada.id, isPaused: false, isActive: true });
    expect((await call.get(`/api/agents/${ada.id}`)).body.status).toBe('active');
    const kept = await stop(home, { keyId: key.id }, { pause: false });
    expect(kept.body).toEqual({ agentId: ada.id, isPaused: false });
    const connection = await createConnection(home, ada);
    const connected = await stop(home, { connectionId: connection.id }, { pause: false });
    expect(connected.body).toEqual({ agentId: ada.id, isPaused: false });
    const first = await stop(home, { runId: run.id });
    expect(first.body).toEqual({ agentId: ada.id, isPaused: true });
    expect((await call.get(`/api/runs/${run.id}`)).body.status).toBe('cancelled');
    const again = await stop(home, { agentId: ada.id });
    expect(again.body).toEqual({ agentId: ada.id, isPaused: false });
    const late = await stop(home, { keyId: key.id }, { dryRun: true });
    expect(late.body).toEqual({ agentId: ada.id, isPaused: false, isActive: false });
    const { body } = await call.get(`/api/companies/${home.id}/activity?action=notes.undone`);
    expect(body.items.map(({ entity }: { entity: { type: string } }) => entity.type)).toEqual([
      'agent',
      'run',
      'connection',
      'key',
    ]);
    for (const { detail } of body.items as { detail: object }[]) {
      expect(detail).toMatchObject({ agentId: ada.id });
    }
    expect(body.items[0].actor).toMatchObject({ kind: 'operator', id: home.owner.operatorId });
  });

  it('needs the role of an operator, and a source of the company', async () => {
    const [home, foreign] = [await createCompany(world), await createCompany(world)];
    const ada = await createAgent(home);
    const viewer = await addMember(home, 'viewer');
    expect((await stop(home, { agentId: ada.id }, { operator: viewer })).body.code).toBe(
      'role_insufficient',
    );
    expect((await stop(foreign, { agentId: ada.id })).body.code).toBe('cross_company');
    expect((await stop(home, { runId: newId() })).body.code).toBe('not_found');
    expect((await stop(home, { agentId: ada.id }, { operator: foreign.owner })).body.code).toBe(
      'cross_company',
    );
  });
});
