import type { CompanyTx } from '@commonplace/db';
import { listExcerptTexts } from '../queries/excerpt-texts.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import { analyseText } from './ranking/analyse-note.ts';
import { createGroupMatcher } from './ranking/group-matcher.ts';
import type { Ranking } from './ranking/rank-notes.ts';
import { notePassagesOf } from './ranking/note-passages.ts';
import { weightsOf } from './ranking/word-weights.ts';
import { wordGroupsOf, type WordGroup } from './ranking/word-groups.ts';
import type { FoundNotes } from './search-notes.ts';
import { createTermMatcher, createYieldInTime, excerptOf } from './text/excerpt.ts';
import { rememberedStems } from './text/shared-stemmer.ts';

/** What the parts of a content are chosen by. */
type Searched = Pick<FoundNotes, 'query' | 'corrections'> & {
  readonly groups: readonly WordGroup[];
  readonly weights: readonly number[];
  readonly texts: Ranking['texts'];
};

/** A search for all words: each says as much as another one. */
export const searchedOf = ({ query, corrections }: FoundNotes): Searched => {
  const groups = wordGroupsOf(query, rememberedStems);
  const counts = groups.map(() => 0);
  return {
    query,
    corrections,
    groups,
    weights: weightsOf(groups, { notes: 100, counts }, new Map()),
    texts: new Map(),
  };
};

/** Adds to each note of a search the parts of its content that match. Deleted notes get none. */
export const addPassages = async (
  tx: CompanyTx,
  rows: readonly ListedNoteRow[],
  { query, corrections, groups, weights, texts: compared }: Searched,
): Promise<ListedNoteRow[]> => {
  const active = rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  const ids = active.filter((id) => !compared.get(id)?.isWhole);
  const read = ids.length === 0 ? [] : await listExcerptTexts(tx, ids);
  const known = active.flatMap((id) => compared.get(id) ?? []).filter(({ isWhole }) => isWhole);
  const match = createTermMatcher(query, { stems: rememberedStems, corrections });
  const matchText = createGroupMatcher(groups, { stems: rememberedStems, corrections });
  const added = new Map<string, Pick<ListedNoteRow, 'excerpt' | 'passages'>>();
  const yieldInTime = createYieldInTime();
  for (const { id, content } of [...known, ...read]) {
    const analysed = compared.get(id)?.content === content ? compared.get(id)?.analysed : undefined;
    const text = analysed ?? (await analyseText(content, matchText, yieldInTime));
    added.set(id, {
      excerpt: await excerptOf(content, match, yieldInTime),
      passages: notePassagesOf(content, text, weights),
    });
    await yieldInTime();
  }
  return rows.map((row) => ({ ...row, ...added.get(row.id) }));
};
