import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError, newId, runId, type Undo } from '@commonplace/contracts';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld | undefined;
afterEach(() => world?.close());

/** Without workers, so that no undo begins, and with an agent that operators pause and resume. */
const setUp = async () => {
  const company = aCompany();
  const { agentId } = agentCaller({ companyId: company });
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  const agent = { id: agentId, isActive: true, pauses: 0, records: 0 };
  const access: { accessEpoch?: number; memberSince?: string } = {};
  const former = new Set<string>();
  const created = await createNotesWorld({
    authorizeJob: async ({ caller: { author } }) => {
      if (author.id !== null && former.has(author.id)) {
        throw new AppError('role_insufficient');
      }
    },
    readCallerAccess: async () => ({ ...access }),
    stopSource: async ({ pause, dryRun }) => {
      const isPaused = pause && !dryRun && agent.isActive;
      agent.isActive &&= !isPaused;
      agent.pauses += Number(isPaused);
      agent.records += Number(!dryRun);
      await sleep(20);
      return { agentId, isPaused, isActive: agent.isActive };
    },
  });
  world = created;
  const run = runId.parse(newId());
  const order = (request: object, by = operator) =>
    created
      .as(by)
      .post('/api/notes/undo')
      .send({ runId: run, ...request });
  const begin = async (request: object = {}, by = operator): Promise<Undo> => {
    const { id } = (await order(request, by).expect(202)).body as { readonly id: string };
    return (await created.as(by).get(`/api/notes/undo/${id}`).expect(200)).body as Undo;
  };
  const another = operatorCaller({ companies: [grant(company, 'owner')] });
  const remove = () => void former.add(operator.operatorId);
  return { access, agent, another, begin, order, remove };
};

describe('a request that equals that of an undo under way', () => {
  it.each([
    ['is active', true],
    ['was paused meanwhile', false],
  ])(
    'returns that one, unless only the later one is to stop the agent, which %s',
    async (_, isActiveBefore) => {
      const { agent, begin } = await setUp();
      const [first, repeated] = [await begin({ pause: false }), await begin({ pause: false })];
      expect([repeated.id, agent.isActive]).toEqual([first.id, true]);
      agent.isActive = isActiveBefore;
      const [later, again] = [await begin(), await begin()];
      expect([later.id === first.id, again.id === later.id, agent.isActive]).toEqual([
        false,
        true,
        false,
      ]);
      expect(later.pausedAgentId).toBe(isActiveBefore ? agent.id : null);
      expect((await begin({ pause: false })).id).toBe(later.id);
    },
  );

  it('in the same instant is one undo, and the agent is paused and the undo recorded once', async () => {
    const { agent, begin } = await setUp();
    const atOnce = async (request: object): Promise<Set<string>> => {
      const begun = Array.from({ length: 12 }, () => begin(request));
      return new Set((await Promise.all(begun)).map(({ id }) => id));
    };
    const request = { until: '2999-12-31T00:00:00.000Z' };
    expect((await atOnce(request)).size).toBe(1);
    expect([agent.pauses, agent.records]).toEqual([1, 1]);
    expect((await begin(request)).pausedAgentId).toBe(agent.id);
    expect((await atOnce({ dryRun: true })).size).toBe(1);
  });

  it('starts another undo if the agent was resumed since, and pauses it again', async () => {
    const { agent, begin } = await setUp();
    const first = await begin();
    expect((await begin()).id).toBe(first.id);
    agent.isActive = true;
    expect((await begin({ pause: false })).id).toBe(first.id);
    const later = await begin();
    expect([later.id === first.id, later.pausedAgentId, agent.isActive]).toEqual([
      false,
      agent.id,
      false,
    ]);
    expect((await begin()).id).toBe(later.id);
  });

  it.each([
    ['the account has another holder', { accessEpoch: 3 }, { accessEpoch: 4 }],
    ['the operator was removed and joined again', { memberSince: 'Mon' }, { memberSince: 'Tue' }],
  ])('starts another undo if %s since', async (_, before, after) => {
    const { access, begin } = await setUp();
    Object.assign(access, before);
    const former = await begin();
    expect((await begin()).id).toBe(former.id);
    Object.assign(access, after);
    const own = await begin();
    expect(own.id).not.toBe(former.id);
    expect((await begin()).id).toBe(own.id);
  });
});

it('dry runs that are not finished keep no one from stopping an agent and undoing', async () => {
  const { agent, begin, order } = await setUp();
  for (let count = 0; count < 10; count += 1) {
    await begin({ runId: newId(), dryRun: true });
  }
  await order({ runId: newId(), dryRun: true }).expect(503);
  await begin();
  expect(agent.isActive).toBe(false);
});

it('a request of another operator is that undo too, until who ordered it loses access', async () => {
  const { another, begin, remove } = await setUp();
  const first = await begin();
  expect((await begin({}, another)).id).toBe(first.id);
  remove();
  const own = await begin({}, another);
  expect(own.id).not.toBe(first.id);
  expect((await begin({}, another)).id).toBe(own.id);
});

it('an undo whose agent cannot be stopped is an error, and leaves nothing behind', async () => {
  const ids: string[] = [];
  world = await createNotesWorld({
    stopSource: ({ undoId: id }) => {
      ids.push(id);
      return Promise.reject(new AppError('service_unavailable', 'Retry later.'));
    },
  });
  const call = world.as(operatorCaller({ companies: [grant(aCompany(), 'operator')] }));
  await call.post('/api/notes/undo').send({ runId: newId() }).expect(503);
  await call.get(`/api/notes/undo/${ids[0]}`).expect(404);
});
