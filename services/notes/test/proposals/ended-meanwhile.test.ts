import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lockFeed, releaseRows } from '../lock-rows.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

const untilWaiting = async (count: number): Promise<void> => {
  while ((at.world.deps[0]?.writeCounters.waiting ?? 0) < count) {
    await sleep(5);
  }
};

/** Accepts a proposal, and does something else once that waits for its write. */
const acceptWhile = async (id: string, meanwhile: () => Promise<unknown>) => {
  const lock = await lockFeed(at.world, at.company);
  const accepted = Promise.resolve(at.accept(id));
  await untilWaiting(1);
  await meanwhile();
  await releaseRows(lock);
  return accepted;
};

describe('a proposal that ends while it is being accepted', () => {
  it('by being rejected: it is decided already, and the note stays as it is', async () => {
    const id = await at.note('p');
    const proposal = await at.propose(id, { op: 'append', text: 'x' });

    const { status, body } = await acceptWhile(proposal.id, async () =>
      at.reject(proposal.id).expect(200),
    );

    expect([status, body.code]).toEqual([409, 'proposal_decided']);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\n', revision: 1 });
    expect(await at.read(proposal.id)).toMatchObject({ state: 'rejected', revision: null });
  });

  it('beside other writes: those are written', async () => {
    const [id, other] = [await at.note('p'), await at.note('r')];
    const proposal = await at.propose(id, { op: 'append', text: 'x' });
    const kept = await at.propose(id, { op: 'append', text: 'y' });
    const written: Promise<number>[] = [];
    const put = (content: string) =>
      written.push(
        Promise.resolve(
          at.world
            .as(at.writer)
            .put(`/api/notes/${other}`)
            .send({ title: 'N', folder: 'r', content }),
        ).then(({ status }) => status),
      );

    const { status } = await acceptWhile(kept.id, async () => {
      put('with it');
      await untilWaiting(2);
      await at.reject(kept.id).expect(200);
    });

    expect([status, ...(await Promise.all(written))]).toEqual([409, 200]);
    expect(await at.stored(other)).toMatchObject({ content: 'with it' });
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
    expect(await at.read(proposal.id)).toMatchObject({ state: 'superseded' });
  });

  it('by another decision to accept it: it is accepted once', async () => {
    const id = await at.note('p');
    const { id: proposal } = await at.propose(id, { op: 'append', text: 'x\n' });
    const others: Promise<number>[] = [];

    const first = await acceptWhile(proposal, async () => {
      others.push(Promise.resolve(at.accept(proposal)).then(({ status }) => status));
      await untilWaiting(2);
    });

    expect([first.status, ...(await Promise.all(others))]).toEqual([200, 409]);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\nx\n', revision: 2 });
  });
});
