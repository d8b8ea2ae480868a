import type { CompanyTx } from '@commonplace/db';
import { listExcerptTexts } from '../queries/excerpt-texts.ts';
import { similarPassages } from './embeddings/similar-passage.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import { analyseText, type AnalysedText } from './ranking/analyse-note.ts';
import { createGroupMatcher } from './ranking/group-matcher.ts';
import type { Ranking } from './ranking/rank-notes.ts';
import { notePassagesOf } from './ranking/note-passages.ts';
import { weightsOf } from './ranking/word-weights.ts';
import { wordGroupsOf, type WordGroup } from './ranking/word-groups.ts';
import type { FoundNotes } from './find-matching-notes.ts';
import {
  createTermMatcher,
  createSearchPauses,
  excerptOf,
  matchesOf,
  type Match,
} from './text/excerpt.ts';
import { rememberedStems } from './text/remembered-stems.ts';

/** What the parts of a content are chosen by. */
type Searched = Pick<FoundNotes, 'query' | 'corrections'> & {
  readonly groups: readonly WordGroup[];
  readonly weights: readonly number[];
  readonly texts: Ranking['texts'];
  readonly places?: Ranking['places'];
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
  { query, corrections, groups, weights, texts: compared, places }: Searched,
): Promise<ListedNoteRow[]> => {
  const active = rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  const ids = active.filter((id) => !compared.get(id)?.isWhole);
  const read = ids.length === 0 ? [] : await listExcerptTexts(tx, ids);
  const contents = new Map<string, string>(read.map(({ id, content }) => [id, content]));
  const match = createTermMatcher(query, { stems: rememberedStems, corrections });
  const matchText = createGroupMatcher(groups, { stems: rememberedStems, corrections });
  const added = new Map<string, Pick<ListedNoteRow, 'excerpt' | 'passages'>>();
  const yieldInTime = createSearchPauses();
  for (const id of active) {
    const known = compared.get(id);
    const content = contents.get(id) ?? known?.content ?? '';
    const text =
      known?.content === content
        ? known.analysed
        : await analyseText(content, matchText, yieldInTime);
    const hits = hitsOf(text);
    // The words of a phrase may be apart in a long note.
    const matches = hits.length > 0 ? hits : await matchesOf(content, match, yieldInTime);
    added.set(id, {
      excerpt: excerptOf(content, matches),
      passages:
        hits.length > 0
          ? notePassagesOf(content, text, weights)
          : similarPassages(content, text, places?.get(id)),
    });
    await yieldInTime();
  }
  return rows.map((row) => ({ ...row, ...added.get(row.id) }));
};

const hitsOf = ({ sentences }: AnalysedText): Match[] =>
  sentences.flatMap(({ hits }) =>
    hits.map(({ start, end, group }) => ({ start, end, word: group })),
  );
