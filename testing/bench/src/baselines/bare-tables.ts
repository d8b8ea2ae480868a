import pg from 'pg';

/** Runs `work` with a superuser connection. */
export const withClient = async <Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const keys = {
  notes: 'company_id, id',
  note_revisions: 'company_id, note_id, revision',
  mutations: 'company_id, caller, client_id, mutation_id',
  note_owner: 'id',
};

/** Creates the tables of the baselines: the columns of the real ones, with only a primary key. */
export const makeBareTables = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query('create schema if not exists bench');
    for (const [name, key] of Object.entries(keys)) {
      await client.query(`drop table if exists bench.${name}`);
      await client.query(`create table bench.${name} (like notes.${name})`);
      await client.query(`alter table bench.${name} add primary key (${key})`);
    }
    await client.query('drop table if exists bench.feed');
    await client.query(
      'create table bench.feed (company_id uuid primary key, head bigint not null)',
    );
  });

/** The columns of `bench.notes`, in the order of `valuesOf`. */
export const bareColumns = [
  'company_id',
  'id',
  'revision',
  'change_no',
  'title',
  'content',
  'folder',
  'tags',
  'pinned',
  'archived',
  'properties',
  'size',
  'snippet',
  'wire_bytes',
  'created_at',
  'created_by_kind',
  'created_by_id',
  'updated_at',
  'updated_by_kind',
  'updated_by_id',
] as const;

export type BareNote = {
  readonly companyId: string;
  readonly id: string;
  readonly changeNo: number;
  readonly title: string;
  readonly content: string;
};

/** The values of one row. */
export const valuesOf = ({ companyId, id, changeNo, title, content }: BareNote): unknown[] => [
  companyId,
  id,
  1,
  changeNo,
  title,
  content,
  '',
  [],
  false,
  false,
  '{}',
  Buffer.byteLength(content),
  content.slice(0, 200),
  Buffer.byteLength(content) + 900,
  new Date(),
  'agent',
  companyId,
  new Date(),
  'agent',
  companyId,
];
