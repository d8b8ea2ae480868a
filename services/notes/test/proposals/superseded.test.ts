import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import { write, type CompanyTx } from '@commonplace/db';
import { endProposals } from '../../src/maintenance/end-proposals.ts';
import { listProposals } from '../../src/queries/list-proposals.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

const dayMs = 86_400_000;
const copies = 2_500;
let now = new Date('2026-03-01T00:00:00.000Z');

let at: ProposalsWorld;
let admin: pg.Client;
beforeAll(async () => {
  at = await createProposalsWorld({ clock: () => now });
  admin = new pg.Client({ connectionString: at.world.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await at.world.close();
});

const deps = () => {
  const [first] = at.world.deps;
  if (!first) {
    throw new Error('A world has one instance at least');
  }
  return first;
};
const endDue = () => endProposals(deps(), new AbortController().signal);
const secret = { folder: 'p', content: 'secret', properties: { key: 'secret' } };

describe('a superseded proposal', () => {
  it('keeps nothing of its text, also where one request made both', async () => {
    const id = await at.note('p');
    await at.world.as(at.proposer).put(`/api/notes/${id}`).send(secret).expect(202);
    const { sync } = syncClient(at.world, at.proposer);
    const changes = [putOf(secret, { id }), putOf({ folder: 'p', content: 'last' }, { id })];
    await sync({ changes: [putOf({ ...secret, title: 'other' }, { id })], proposals: true });
    await sync({ changes, proposals: true });
    const { items } = await at.list(`?noteId=${id}&state=superseded`);
    expect(items).toHaveLength(3);
    for (const item of items) {
      expect(item).toMatchObject({ snippet: '', properties: {} });
    }
    const { rows } = await admin.query(`select p::text as row from notes.proposals p`);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('is gone after a day, however many there are, and the open one stays', async () => {
    const id = await at.note('p');
    await at.propose(id, { op: 'append', text: 'x' });
    const last = await at.propose(id, { op: 'append', text: 'y' });
    await copyProposals(id, 'superseded', copies);
    now = new Date(now.getTime() + dayMs - 1);
    await endDue();
    expect(await countOf(id)).toBe(copies + 2);
    now = new Date(now.getTime() + 1);
    await endDue();
    expect((await at.list(`?noteId=${id}`)).items).toMatchObject([{ id: last.id, state: 'open' }]);
  });
});

describeUnlessOnCitus('plans are those of the coordinator')('open proposals', () => {
  it('are listed without reading the superseded ones', async () => {
    const id = await at.note('p');
    await at.propose(id, { op: 'append', text: 'x' });
    await at.propose(id, { op: 'append', text: 'y' });
    await copyProposals(id, 'open', 900);
    await copyProposals(id, 'superseded', 20_000);
    await admin.query('vacuum analyze notes.proposals');
    const plans: string[] = [];
    await write(deps().db, at.company, (tx) => {
      const query: CompanyTx['query'] = async (text, values, name) => {
        const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return tx.query(text, values, name);
      };
      return listProposals({ ...tx, query }, anyOpen);
    });
    expect(plans).toEqual([expect.stringContaining('using open_proposals_by_age')]);
  });
});

const anyOpen = {
  viewer: null,
  state: 'open',
  agentId: null,
  runId: null,
  noteId: null,
  title: null,
  after: null,
  limit: 51,
} as const;

const columns = `company_id, state, note_id, proposal_of, base_revision, title, folder, content, tags, pinned,
  archived, properties, size, snippet, fields_hash, author_kind, author_id, created_at, expires_at,
  decided_at, superseded_by`;

/** As if agents had proposed the same again and again. */
const copyProposals = async (
  noteId: string,
  state: 'open' | 'superseded',
  count: number,
): Promise<void> => {
  await admin.query(
    `insert into notes.proposals (id, ${columns})
     select gen_random_uuid(), ${columns} from notes.proposals p, generate_series(1, $3)
     where p.note_id = $1 and p.state = $2`,
    [noteId, state, count],
  );
};

const countOf = async (noteId: string): Promise<number> => {
  const { rows } = await admin.query(
    'select count(*)::integer as count from notes.proposals where note_id = $1',
    [noteId],
  );
  return rows[0].count as number;
};
