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

/** A page of folders or tags by name, one range of an index. */
export const listLabels = (tx: CompanyTx, listing: LabelListing): Promise<LabelRow[]> => {
  const { kind, from, before, after, limit } = listing;
  return tx.query<LabelRow>(
    `select l.name, l.notes from notes.label_counts l
     where l.company_id = $1 and l.kind = $2 and l.name >= $3
       and ($4::text is null or l.name < $4) and ($5::text is null or l.name > $5)
     order by l.name
     limit $6`,
    [tx.companyId, kind, from, before, after, limit],
    'notes: list labels',
  );
};
