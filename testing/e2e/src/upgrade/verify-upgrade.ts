import type pg from 'pg';
import { sumOfDigests } from './fill-company.ts';

/** What the company must hold after the upgrade. */
type Expected = {
  readonly companyId: string;
  /** Active notes. */
  readonly notes: number;
  /** Notes with a link. */
  readonly links: number;
  /** Acknowledged contents by id. */
  readonly contents: ReadonlyMap<string, string>;
};

/** Compares the database with what was acknowledged; returns what is wrong. */
export const verifyUpgrade = async (
  client: pg.Client,
  { companyId, notes, links, contents }: Expected,
): Promise<string[]> => {
  const one = async (sql: string): Promise<string> => {
    const { rows } = await client.query<{ value: string | null }>(sql, [companyId]);
    return String(rows[0]?.value);
  };
  const { rows } = await client.query<{ sum: string }>(sumOfDigests, [companyId]);
  const digest = BigInt.asUintN(64, BigInt(rows[0]?.sum ?? 0))
    .toString(16)
    .padStart(16, '0');
  const found: Readonly<Record<string, readonly [actual: string, expected: unknown]>> = {
    'active notes': [await one(activeNotes), notes],
    'notes counted by the feed': [await one(countedNotes), notes],
    'digest of the feed': [await one(feedDigest), digest],
    'notes in the search index': [await one(searchedNotes), notes],
    'changes that are not indexed': [await one(pendingChanges), 0],
    'notes in the catalog': [await one(catalogedNotes), notes],
    'notes counted by folder': [await one(notesInFolders), notes],
    links: [await one(storedLinks), links],
  };
  const wrong = Object.entries(found)
    .filter(([, [actual, expected]]) => actual !== String(expected))
    .map(([name, [actual, expected]]) => `${name}: ${actual}, not ${String(expected)}`);
  return [...wrong, ...(await lostContents(client, companyId, contents))];
};

const activeNotes = `
  select count(*) as value from notes.notes where company_id = $1 and deleted_at is null`;
const countedNotes = 'select live_count as value from notes.company_feed where company_id = $1';
const feedDigest = 'select digest as value from notes.company_feed where company_id = $1';
const searchedNotes = 'select count(*) as value from notes.note_search where company_id = $1';
const pendingChanges = `
  select f.head - p.rebuilt_no as value from notes.company_feed f
  join notes.search_progress p on p.company_id = f.company_id where f.company_id = $1`;
const catalogedNotes = 'select count(*) as value from notes.catalog_entries where company_id = $1';
const notesInFolders = `
  select sum(notes) as value from notes.label_counts where company_id = $1 and kind = 'folder'`;
const storedLinks = 'select count(*) as value from notes.note_links where company_id = $1';

const lostContents = async (
  client: pg.Client,
  companyId: string,
  contents: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const { rows } = await client.query<{ id: string; content: string }>(
    'select id, content from notes.notes where company_id = $1 and id = any ($2::uuid[])',
    [companyId, [...contents.keys()]],
  );
  const stored = new Map(rows.map(({ id, content }) => [id, content]));
  return [...contents]
    .filter(([id, content]) => stored.get(id) !== content)
    .map(([id]) => `the acknowledged content of ${id} is lost`);
};
