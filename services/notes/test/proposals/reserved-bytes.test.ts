import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentId, noteId } from '@commonplace/contracts';
import type { Reader } from '@commonplace/http';
import { findProposal, type ListedProposalRow } from '../../src/queries/list-proposals.ts';
import { read } from '@commonplace/db';
import { readProposalDetail } from '../../src/proposals/read-proposal-detail.ts';
import type { EditChange, WriteResult } from '../../src/write/change.ts';
import { writeCostlyEdit } from '../../src/write/write-costly-edit.ts';
import { createProposalsWorld, proposing, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

const deps = () => {
  const [first] = at.world.deps;
  if (!first) {
    throw new Error('A world has one instance at least');
  }
  return first;
};
const content = 'word '.repeat(20_000);

const aLargeProposal = async () => {
  const id = await at.note('p', content);
  const proposal = await at.propose(id, { op: 'append', text: 'more' });
  return { id: noteId.parse(id), proposal, bytes: 2 * content.length + 4 };
};

describe('the bytes of a note and of what is proposed of it', () => {
  it('are reserved together while they are compared', async () => {
    const { proposal, bytes } = await aLargeProposal();
    const reach = { companyId: at.company, folders: null };
    const row = (await read(deps().db, reach, (tx) =>
      findProposal(tx, proposal.id, { viewer: null, withText: true }),
    )) as ListedProposalRow;
    const reserved: number[] = [];
    let result: unknown = null;
    const reader: Reader = {
      read: async (wanted, work) => {
        reserved.push(wanted);
        const compared = await work();
        result = compared;
        return compared;
      },
    };
    const detail = await readProposalDetail({ ...deps(), reader }, reach, { row, context: 3 });
    expect(reserved).toEqual([bytes]);
    expect(result).toMatchObject({ diff: detail.diff });
    expect(detail.diff).toMatchObject([{ field: 'content' }]);
  });

  it('are reserved together while an edit goes on with the proposal', async () => {
    const { id, bytes } = await aLargeProposal();
    const change: EditChange = {
      rule: 'edit',
      id,
      edits: [],
      precondition: { ifMatch: null, ifNoneMatch: null },
      mutation: null,
    };
    const author = { kind: 'agent', id: agentId.parse(at.proposer.agentId) } as const;
    const request = { author, grants: proposing, changes: [change] };
    const result: WriteResult = { outcomes: [], feed: {} as never };
    const reserved: number[] = [];
    await writeCostlyEdit(
      {
        db: deps().db,
        editThread: async () => ({ edited: { content: '' }, ms: 0 }),
        reserveEditBytes: (wanted, work) => {
          reserved.push(wanted);
          return work();
        },
      },
      { companyId: at.company, request, write: async () => result },
      change,
    );
    expect(reserved).toEqual([4 * bytes]);
  });
});
