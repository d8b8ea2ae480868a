import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CompanyTx } from '@commonplace/db';
import { keepTexts } from '../queries/version-texts.ts';
import { insertNewNotes, insertVersions } from '../queries/write-versions.ts';
import type { InsertVersions, VersionRow } from '../queries/version-columns.ts';
import type { StagedNotes } from './staged-notes.ts';

/**
 * Waits for pipelined statements of a transaction, and rejects with the first failure in statement order. Later
 * statements only report that the transaction is aborted, and may settle sooner.
 */
export const awaitStatements = async (statements: readonly unknown[]): Promise<void> => {
  const results = await Promise.allSettled(statements);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
};

/**
 * Versions per statement. The first statement is small, so that PostgreSQL starts early; each next one is three
 * times as large, because every statement has a fixed cost.
 */
const partSizes = { first: 25, growth: 3, max: 225 } as const;

/** Versions prepared before yielding to the event loop, when none was sent before all were decided. */
const yieldAfter = 100;

type Part = { readonly insert: InsertVersions; readonly versions: VersionRow[]; size: number };

/**
 * Writes the staged versions in batches. Sends each batch before the next is prepared or even decided, so that
 * PostgreSQL writes one batch while this process works on the next. Stored versions whose text a batch may replace get it
 * before.
 */
export const createVersionWriter = (tx: CompanyTx, stagedNotes: StagedNotes) => {
  const newNotes: Part = { insert: insertNewNotes, versions: [], size: partSizes.first };
  const others: Part = { insert: insertVersions, versions: [], size: partSizes.first };
  const sent: Promise<void>[] = [];

  const add = (writing: Promise<void>): void => {
    // The caller that awaits all statements reports failures.
    writing.catch(() => undefined);
    sent.push(writing);
  };

  const send = (part: Part): void => {
    const kept = stagedNotes.drainKeptTexts();
    if (kept.length > 0) {
      add(keepTexts(tx, kept));
    }
    add(part.insert(tx, part.versions.splice(0)));
    part.size = Math.min(part.size * partSizes.growth, partSizes.max);
  };

  const collect = (version: VersionRow): void => {
    const part = version.isFirst && version.isLast ? newNotes : others;
    part.versions.push(version);
    if (part.versions.length === part.size) {
      send(part);
    }
  };

  /** Collects newly decided versions, and sends every full part. */
  const flushFullParts = (): void => {
    for (const version of stagedNotes.drainVersions()) {
      collect(version);
    }
  };

  /** Sends the remaining versions; returns one promise per statement, in sending order. */
  const flushAll = async (): Promise<readonly Promise<void>[]> => {
    let added = 0;
    for (const version of stagedNotes.drainVersions()) {
      collect(version);
      added += 1;
      if (added % yieldAfter === 0) {
        await yieldToEventLoop();
      }
    }
    [newNotes, others].filter(({ versions }) => versions.length > 0).forEach(send);
    return sent;
  };

  return { flushFullParts, flushAll };
};

export type VersionWriter = ReturnType<typeof createVersionWriter>;
