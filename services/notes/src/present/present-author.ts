import type { Author } from '@commonplace/contracts/notes';

type AuthorColumns = {
  readonly kind: Author['kind'];
  readonly id: string;
  readonly runId: string | null;
};

/** The columns of an author as the contract has them; no run, no `runId`. */
export const presentAuthor = ({ kind, id, runId }: AuthorColumns): Author => ({
  kind,
  id,
  ...(runId === null ? {} : { runId: runId as NonNullable<Author['runId']> }),
});
