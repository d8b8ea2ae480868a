import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { proposalLimits } from '@commonplace/contracts/notes';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let now = new Date('2026-03-01T00:00:00.000Z');
let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld({ clock: () => now });
});
afterAll(() => at.world.close());

const create = async () =>
  (
    await at.world
      .as(at.proposer)
      .post('/api/notes')
      .send({ title: 'Late', folder: 'p', content: 'x', ifTitleExists: 'return' })
      .expect(202)
  ).body;

it('proposes a new note again once the time of the first proposal is over', async () => {
  const first = await create();
  now = new Date(now.getTime() + proposalLimits.days * 86_400_000 - 1);
  expect(await create()).toMatchObject({ existing: true, proposal: { id: first.proposal.id } });
  now = new Date(now.getTime() + 1);
  const second = await create();
  expect(second.existing).toBeUndefined();
  expect(second.proposal.id).not.toBe(first.proposal.id);
});
