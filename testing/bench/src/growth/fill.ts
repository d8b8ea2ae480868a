import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Bench } from '../measurement.ts';
import { insertNotes, moveFeeds } from './fill-statements.ts';

/** Notes of each company that only adds size. */
const notesEach = 20;

/** What the notes link to: each to this number of earlier notes, or all to one title. */
export type Links = { readonly each: number } | { readonly title: string };

/** The range of change numbers to add to each company. */
type Filling = {
  readonly companyIds: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly links: Links;
};

/**
 * Adds notes to companies by SQL, as if written one by one: with their first revision, owner, search document,
 * catalog entry and links, and with head, count and digest of the feed. Each note has a few words of its own; one
 * in a thousand contains the word `needle`.
 */
const fillCompanies = async (client: pg.Client, filling: Filling): Promise<void> => {
  const { companyIds, from, to, links } = filling;
  const linked = 'title' in links ? [0, links.title] : [links.each, null];
  await client.query(openFeeds, [companyIds]);
  const step = Math.max(1, Math.floor(stepRows / companyIds.length));
  for (let first = from; first < to; first += step) {
    const last = Math.min(to, first + step);
    await client.query('begin');
    await client.query(insertNotes, [companyIds, first + 1, last, ...linked]);
    await client.query(moveFeeds, [companyIds, first, last]);
    await client.query('commit');
  }
};

/** Adds companies that only add size. */
export const addCompanies = (client: pg.Client, count: number): Promise<void> => {
  const companyIds = Array.from({ length: count }, () => randomUUID());
  return fillCompanies(client, { companyIds, from: 0, to: notesEach, links: { each: 0 } });
};

/** Adds notes to a company until its feed has `to` changes. */
export const fillCompany = async (
  client: pg.Client,
  companyId: string,
  { to, links = { each: 0 } }: { readonly to: number; readonly links?: Links },
): Promise<void> => {
  const from = await headChangeOf(client, companyId);
  await fillCompanies(client, { companyIds: [companyId], from, to, links });
};

/** The number of the last change of a company. */
export const headChangeOf = async (client: pg.Client, companyId: string): Promise<number> => {
  const { rows } = await client.query<{ head: string }>(headOf, [companyId]);
  return Number(rows[0]?.head ?? 0);
};

const headOf = 'select f.head from notes.company_feed f where f.company_id = $1';

const stepRows = 50_000;

const openFeeds = `
  insert into notes.company_feed (company_id, epoch)
  select c, gen_random_uuid() from unnest($1::uuid[]) c
  on conflict (company_id) do nothing`;

const sizes = {
  whole: { notes: [1_000, 10_000, 100_000, 1_000_000], companies: [1, 100, 10_000] },
  quick: { notes: [1_000, 10_000, 100_000], companies: [1, 100, 1_000] },
} as const;

/** Notes in one company, and number of companies, at each step of growth. */
export const sizesOf = ({ profile }: Pick<Bench, 'profile'>) =>
  profile.isQuick ? sizes.quick : sizes.whole;
