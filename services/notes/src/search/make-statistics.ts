import type { CompanyId } from '@commonplace/contracts/core';
import { write, type Db } from '@commonplace/db';
import { findFeed } from '../queries/feed.ts';
import {
  listFrequentTerms,
  lockStatistics,
  measureDocuments,
  replaceStatistics,
} from '../queries/search-statistics.ts';

/** Documents that words are counted in, and those that a word must be in to be frequent. */
const sample = { documentsMax: 20_000, notesMin: 5 } as const;

/** In fewer notes, all words are looked for: no statistics are needed. */
export const notesWithStatisticsMin = 1_000;

/**
 * Makes the statistics of a company from its index; another process may be doing so. They are read by searches in the
 * meantime, and replaced at once.
 */
export const makeStatistics = (db: Db, companyId: CompanyId): Promise<void> =>
  write(db, companyId, async (tx) => {
    const generation = await lockStatistics(tx);
    if (generation === null) {
      return;
    }
    const notes = (await findFeed(tx))?.liveCount ?? 0;
    const { notes: documents, words } = await measureDocuments(tx, sample.documentsMax);
    const total = Math.max(notes, documents);
    const terms = await listFrequentTerms(tx, {
      total,
      sampledMax: sample.documentsMax,
      notesMin: sample.notesMin,
    });
    const sampled = Math.min(total, Math.ceil(total / Math.ceil(total / sample.documentsMax)));
    await replaceStatistics(tx, {
      generation: generation + 1,
      notes,
      sampled,
      wordAverage: words,
      terms,
    });
  });
