import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, newId, type SyncJob, type SyncJobSummary } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { grant, operatorCaller } from '@commonplace/testkit';
import { anAgent, createNotesWorld, namesOfIds, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf } from '../sync-client.ts';

let world: NotesWorld;
let stopWorkers: () => Promise<void>;
let describeAuthors = namesOfIds;
beforeAll(async () => {
  world = await createNotesWorld({
    authorizeJob: async () => undefined,
    describeAuthors: (request) => describeAuthors(request),
  });
  stopWorkers = startWorkers(world);
});
afterAll(async () => {
  await stopWorkers();
  await world.close();
});
afterEach(() => {
  describeAuthors = namesOfIds;
});

type Page = { readonly items: readonly SyncJobSummary[]; readonly nextCursor: string | null };

const order = async (caller: Caller, body: object): Promise<string> => {
  const request = world
    .as(caller)
    .post('/api/sync')
    .send({ mode: 'background', ...body });
  return ((await request.expect(202)).body as { readonly jobId: string }).jobId;
};

const list = async (caller: Caller, query = ''): Promise<Page> =>
  (await world.as(caller).get(`/api/sync${query}`).expect(200)).body as Page;

const operatorIn = (company: ReturnType<typeof anAgent>['companyId']) =>
  operatorCaller({ companies: [grant(company, 'operator')], selectedCompanyId: company });

describe('background synchronisations', () => {
  it('name who ordered them, with which run, key and client', async () => {
    const agent = anAgent();
    const operator = operatorIn(agent.companyId);
    const run = { ...agent, keyId: null, runId: newId() as never };
    const byKey = await order(agent, { clientId: 'laptop', changes: [putOf({ title: 'a' })] });
    const byRun = await order(run, {});
    const byOperator = await order(operator, { clientId: 'console' });

    const { items } = await list(operator);
    const named = (id: string, author: object) => ({ id, name: `Name of ${id}`, ...author });
    expect(items.map(({ jobId, createdBy, clientId }) => ({ jobId, createdBy, clientId }))).toEqual(
      [
        {
          jobId: byOperator,
          createdBy: named(operator.operatorId, { kind: 'operator' }),
          clientId: 'console',
        },
        {
          jobId: byRun,
          createdBy: named(agent.agentId, { kind: 'agent', runId: run.runId }),
          clientId: null,
        },
        {
          jobId: byKey,
          createdBy: named(agent.agentId, { kind: 'agent', keyId: agent.keyId }),
          clientId: 'laptop',
        },
      ],
    );
    expect(items[2]?.progress.total).toBe(1);
    expect(items.every((item) => !('result' in item))).toBe(true);
    const one = (await world.as(agent).get(`/api/sync/${byKey}`).expect(200)).body as SyncJob;
    expect(one).toMatchObject({ createdBy: items[2]?.createdBy, clientId: 'laptop' });
  });

  it('are listed by pages, for the operators of their company only', async () => {
    const agent = anAgent();
    const operator = operatorIn(agent.companyId);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift(await order(agent, {}));
    }
    await order(anAgent(), {});
    const first = await list(operator, '?limit=2');
    const second = await list(operator, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ jobId }) => jobId)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    await world.as(agent).get('/api/sync').expect(403);
    const viewer = operatorCaller({
      companies: [grant(agent.companyId, 'viewer')],
      selectedCompanyId: agent.companyId,
    });
    await world.as(viewer).get('/api/sync').expect(403);
    await world.as(operator).get('/api/sync?cursor=x').expect(400);
  });

  it('have no names while the agents service is unavailable', async () => {
    const agent = anAgent();
    const jobId = await order(agent, {});
    describeAuthors = async () => {
      throw new AppError('service_unavailable');
    };
    const { items } = await list(operatorIn(agent.companyId));
    expect(items).toMatchObject([{ jobId, createdBy: { id: agent.agentId, name: null } }]);
  });
});
