import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompanyTx } from '@commonplace/db';
import { insertNewNotes, insertVersions } from '../queries/write-versions.ts';
import type { InsertVersions, VersionRow } from '../queries/version-columns.ts';
import type { StagedNotes } from './staged-notes.ts';

/**
 * Waits for statements of a transaction that were sent one after the other, and fails as the first of them
 * that failed: those behind it only say that the transaction is aborted, and may be heard of sooner.
 */
export const awaitStatements = async (statements: readonly unknown[]): Promise<void> => {
  const results = await Promise.allSettled(statements);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
};

/**
 * Versions in one statement. The first leaves as soon as there is a little to do for PostgreSQL; each that
 * follows is three times as large, because every statement costs something of its own.
 */
const partSizes = { first: 25, growth: 3, max: 225 } as const;

/** Versions that are made ready in one turn of the event loop, where none was sent before all were decided. */
const takenAtOnce = 100;

type Part = { readonly insert: InsertVersions; readonly versions: VersionRow[]; size: number };

/**
 * Writes the versions of a stagedNotes in parts, and sends each before the next is made ready, or even decided:
 * PostgreSQL writes the one while this process works on the other.
 */
export const createVersionWriter = (tx: CompanyTx, stagedNotes: StagedNotes) => {
  const newNotes: Part = { insert: insertNewNotes, versions: [], size: partSizes.first };
  const others: Part = { insert: insertVersions, versions: [], size: partSizes.first };
  const sent: Promise<void>[] = [];

  const send = (part: Part): void => {
    const writing = part.insert(tx, part.versions.splice(0));
    part.size = Math.min(part.size * partSizes.growth, partSizes.max);
    // What fails before all are sent is heard of by whoever waits for all of them.
    writing.catch(() => undefined);
    sent.push(writing);
  };

  const take = (version: VersionRow): void => {
    const part = version.isFirst && version.isLast ? newNotes : others;
    part.versions.push(version);
    if (part.versions.length === part.size) {
      send(part);
    }
  };

  /** Takes what was decided since, and sends the parts that are full. */
  const sendFull = (): void => {
    for (const version of stagedNotes.drainVersions()) {
      take(version);
    }
  };

  /** Sends all that is left; gives the writing of every part, in the order they were sent. */
  const sendRest = async (): Promise<readonly Promise<void>[]> => {
    let taken = 0;
    for (const version of stagedNotes.drainVersions()) {
      take(version);
      taken += 1;
      if (taken % takenAtOnce === 0) {
        await nextTurn();
      }
    }
    [newNotes, others].filter(({ versions }) => versions.length > 0).forEach(send);
    return sent;
  };

  return { sendFull, sendRest };
};

export type VersionWriter = ReturnType<typeof createVersionWriter>;
