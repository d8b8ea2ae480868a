import pg from 'pg';
import { newId, runId, type CompanyId } from '@commonplace/contracts';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { pruneRevisions, purge } from '../src/maintenance/purge.ts';
import { aCompany, createNotesWorld, type NotesWorld } from './notes-world.ts';
import { startWorkers } from './start-workers.ts';

const running = new AbortController().signal;

/** A world, with its database. */
export type Form = {
  readonly world: NotesWorld;
  readonly query: <Row extends pg.QueryResultRow>(
    statement: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
  readonly purge: () => Promise<unknown>;
  readonly prune: () => Promise<unknown>;
};

/** Text is stored with each version, as before `0036_share_texts`. */
const storeEach = `update notes.knex_migrations set batch = 2, migration_time = '9999-01-01'
  where name like '%share%texts'`;

const createForm = async (clock: () => Date): Promise<Form> => {
  const world = await createNotesWorld({ clock });
  const client = new pg.Client({ connectionString: world.database.adminUrl });
  await client.connect();
  const [deps] = world.deps;
  if (!deps) {
    throw new Error('A world has one instance at least');
  }
  const stopWorkers = startWorkers(world);
  const close = async () => {
    await stopWorkers();
    await client.end();
    await world.close();
  };
  return {
    world: { ...world, close },
    query: async <Row extends pg.QueryResultRow>(
      statement: string,
      values: readonly unknown[] = [],
    ) => (await client.query<Row>(statement, [...values])).rows,
    purge: () => purge(deps, { tombstoneDays: 90, mutationDays: 30 }, running),
    prune: () => pruneRevisions(deps, { revisionDays: 30 }, running),
  };
};

/**
 * Two worlds: one whose versions share their texts, and one whose versions have each their own, which says what the first has to
 * respond.
 */
export const createTwoForms = async (clock: () => Date) => {
  const [shared, whole] = [await createForm(clock), await createForm(clock)];
  await whole.query(storeEach);
  return {
    shared,
    whole,
    close: async () => {
      await shared.world.close();
      await whole.world.close();
    },
  };
};

export type TwoForms = Awaited<ReturnType<typeof createTwoForms>>;

/** The callers of one company: an agent, its run, one that sees one folder, one that proposes, and an operator. */
export const aTeam = (company: CompanyId = aCompany()) => ({
  company,
  agent: agentCaller({ companyId: company }),
  run: agentCaller({ companyId: company, runId: runId.parse(newId()), keyId: null }),
  narrow: {
    ...agentCaller({ companyId: company }),
    grants: [{ folder: 'seen', scope: 'read' as const, mode: 'direct' as const }],
  },
  proposer: {
    ...agentCaller({ companyId: company }),
    grants: [{ folder: '/', scope: 'any' as const, mode: 'propose' as const }].concat(
      ['seen', 'other'].map((folder) => ({ folder, scope: 'any', mode: 'propose' })),
    ),
  },
  operator: operatorCaller({ companies: [grant(company, 'operator')] }),
});

export type Team = ReturnType<typeof aTeam>;
