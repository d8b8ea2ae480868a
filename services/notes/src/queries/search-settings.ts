import { stayOnNode, type CompanyTx } from '@commonplace/db';

/** Whether a company takes part in embeddings, and how far its notes are embedded. */
export type EmbeddingState = {
  readonly isEnabled: boolean;
  /** Of the vectors made last; null: none were made. */
  readonly profile: string | null;
  readonly changeNo: number;
  /** It has too many vectors to look at all of them. */
  readonly isLarge: boolean;
};

/** Whether a company's owner switched embeddings on, and how far its notes are embedded. */
export const findEmbeddingState = async (tx: CompanyTx): Promise<EmbeddingState> => {
  const [row] = await tx.query<EmbeddingState>(
    `select s.embeddings as "isEnabled", p.profile, coalesce(p.change_no, 0) as "changeNo",
       coalesce(p.is_large, false) as "isLarge"
     from notes.search_settings s
     left join notes.embedding_progress p on p.company_id = $1
     where s.company_id = $1`,
    [tx.companyId],
    'notes.find-embedding-state',
  );
  return row ?? { isEnabled: false, profile: null, changeNo: 0, isLarge: false };
};

/** As `isEnabled`; keeps the setting as it is until COMMIT. */
export const lockEmbeddingsEnabled = async (tx: CompanyTx): Promise<boolean> => {
  await stayOnNode(tx, 'notes.company_feed');
  const [row] = await tx.query<{ embeddings: boolean }>(
    'select s.embeddings from notes.search_settings s where s.company_id = $1 for share',
    [tx.companyId],
  );
  return row?.embeddings ?? false;
};

/** Switches embeddings of a company on or off. */
export const updateSearchSettings = async (
  tx: CompanyTx,
  { embeddings, at }: { readonly embeddings: boolean; readonly at: Date },
): Promise<void> => {
  await tx.query(
    `insert into notes.search_settings as s (company_id, embeddings, updated_at) values ($1, $2, $3)
     on conflict (company_id) do update set embeddings = excluded.embeddings, updated_at = excluded.updated_at`,
    [tx.companyId, embeddings, at],
  );
};
