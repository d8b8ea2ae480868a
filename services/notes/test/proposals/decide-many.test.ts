import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import { aCompany, aNoteId, anAgent } from '../notes-world.ts';
import { createProposalsWorld, proposing, type ProposalsWorld } from './proposals-world.ts';

/** A check of the caller that is older than half a second is made again. */
const agedMs = 600;

let at: ProposalsWorld;
let isRevoked = false;
let lookups = 0;
let onLookup: (count: number) => Promise<void> | void;
beforeAll(async () => {
  at = await createProposalsWorld({
    findProposalDeciders: async () => {
      await onLookup((lookups += 1));
      return 'agents';
    },
    recheckCaller: async (caller) => {
      if (isRevoked) {
        throw new AppError('invalid_token');
      }
      return caller;
    },
  });
});
beforeEach(() => {
  isRevoked = false;
  lookups = 0;
  onLookup = () => undefined;
});
afterAll(() => at.world.close());

const open = async () => at.propose(await at.note('p'), { op: 'append', text: 'x' });
const openThree = async () => [await open(), await open(), await open()] as const;
/** The id of an open proposal of another company. */
const openElsewhere = async (): Promise<string> => {
  const company = aCompany();
  const [writer, proposer] = [anAgent(company), { ...anAgent(company), grants: proposing }];
  const path = `/api/notes/${aNoteId()}`;
  await at.world.as(writer).put(path).send({ title: 'N', folder: 'p', content: 'one' }).expect(201);
  const edits = [{ op: 'append', text: 'x' }];
  const { body } = await at.world.as(proposer).patch(path).send({ edits }).expect(202);
  return (body as { proposal: { id: string } }).proposal.id;
};
const decide = (decisions: readonly object[]) =>
  at.world.as(at.writer).post('/api/notes/proposals/decide').send({ decisions });

describe('many decisions', () => {
  it('end once the caller is revoked, and say what was decided until then', async () => {
    const [one, two, three] = await openThree();
    onLookup = async (count) => {
      if (count === 2) {
        await sleep(agedMs);
        isRevoked = true;
      }
    };
    const { body } = await decide([
      { id: one.id, decision: 'reject', reason: 'no' },
      { id: two.id, decision: 'reject', reason: 'no' },
      { id: three.id, decision: 'accept' },
    ]).expect(200);
    expect(body.results).toMatchObject([
      { id: one.id, status: 'rejected' },
      { id: two.id, status: 'failed', error: { code: 'invalid_token' } },
      { id: three.id, status: 'failed', error: { code: 'invalid_token' } },
    ]);
    isRevoked = false;
    expect(await at.read(two.id)).toMatchObject({ state: 'open' });
    expect(await at.read(three.id)).toMatchObject({ state: 'open' });
  });

  it('go on after one that fails on our side', async () => {
    const [one, two, three] = await openThree();
    onLookup = (count) => {
      // The first is decided with the second lookup.
      if (count === 3) {
        throw new AppError('service_unavailable');
      }
    };
    const { body } = await decide([
      { id: one.id, decision: 'accept' },
      { id: two.id, decision: 'accept' },
      { id: three.id, decision: 'reject', reason: 'no' },
    ]).expect(200);
    expect(body.results).toMatchObject([
      { id: one.id, status: 'accepted', revision: 2 },
      { id: two.id, status: 'failed', error: { code: 'service_unavailable' } },
      { id: three.id, status: 'rejected' },
    ]);
    expect(await at.read(two.id)).toMatchObject({ state: 'open' });
  });

  it('say the revision also where nothing can be looked up once a proposal is accepted', async () => {
    const { id } = await open();
    onLookup = (count) => {
      if (count === 3) {
        throw new AppError('service_unavailable');
      }
    };
    const { body } = await decide([{ id, decision: 'accept' }]).expect(200);
    expect(body.results).toEqual([{ id, status: 'accepted', revision: 2 }]);
    expect(await at.read(id)).toMatchObject({ state: 'accepted', revision: 2 });
  });

  it('say of a proposal of another company that it belongs to one, and decide the others', async () => {
    const own = await open();
    const foreign = await openElsewhere();
    const { body } = await decide([
      { id: foreign, decision: 'accept' },
      { id: aNoteId(), decision: 'accept' },
      { id: own.id, decision: 'accept' },
    ]).expect(200);
    expect(body.results).toMatchObject([
      { status: 'failed', error: { code: 'cross_company' } },
      { status: 'failed', error: { code: 'not_found' } },
      { status: 'accepted' },
    ]);
  });

  it('take no revision without the content that was made from it', async () => {
    const proposal = await open();
    await decide([{ id: proposal.id, decision: 'accept', revision: 1 }]).expect(400);
    expect(await at.read(proposal.id)).toMatchObject({ state: 'open' });
  });
});
