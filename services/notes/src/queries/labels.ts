import type { CompanyTx } from '@commonplace/db';

export type LabelKind = 'folder' | 'tag';

/** A folder or a tag, and how many notes it has. */
export type LabelRow = { readonly name: string; readonly notes: number };

export type LabelListing = {
  readonly kind: LabelKind;
  /** Names from here on, in byte order. */
  readonly from: string;
  /** Names before this one; null: no end. */
  readonly before: string | null;
  /** The last name of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
};

/**
 * A page of folders or tags by name, one range of an index. Who does not see all notes sees their folders, and the tags are
 * counted of the notes it sees.
 */
export const listLabels = (tx: CompanyTx, listing: LabelListing): Promise<LabelRow[]> => {
  const { kind, from, before, after, limit } = listing;
  if (kind === 'tag' && tx.folders !== null) {
    return countVisibleTags(tx, listing);
  }
  return tx.query<LabelRow>(
    `select l.name, l.notes from notes.label_counts l
     where l.company_id = $1 and l.kind = $2
       and l.name >= greatest($3::text collate "C", $4::text) and l.name is distinct from $4
       ${before === null ? '' : 'and l.name < $6'}
     order by l.name
     limit $5`,
    [tx.companyId, kind, from, after, limit, ...(before === null ? [] : [before])],
    before === null ? 'notes.list-labels' : 'notes.list-labels-of-a-range',
  );
};

const countVisibleTags = (
  tx: CompanyTx,
  { from, before, after, limit }: LabelListing,
): Promise<LabelRow[]> =>
  tx.query<LabelRow>(
    `select t.name, count(*) as notes
     from notes.catalog_entries e
     cross join lateral (select distinct t.name collate "C" as name from unnest(e.tags) as t (name)) t
     where e.company_id = $1 and t.name >= $2
       and ($3::text is null or t.name < $3) and ($4::text is null or t.name > $4)
     group by t.name
     order by t.name
     limit $5`,
    [tx.companyId, from, before, after, limit],
    'notes.count-visible-tags',
  );
