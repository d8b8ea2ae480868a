import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompanyTx } from '@commonplace/db';
import { insertNewNotes } from '../queries/insert-new-notes.ts';
import { insertVersions } from '../queries/insert-versions.ts';
import type { InsertVersions, VersionRow } from '../queries/version-columns.ts';
import type { Workspace } from './workspace.ts';

/** Versions in one statement. Large batches so take six at most. */
export const partMax = 100;

type Part = { readonly insert: InsertVersions; readonly versions: VersionRow[] };

/**
 * Writes the versions of a workspace in parts, and sends each before the next is made ready, or even decided:
 * PostgreSQL writes the one while this process works on the other.
 */
export const openVersionStore = (tx: CompanyTx, workspace: Workspace) => {
  const newNotes: Part = { insert: insertNewNotes, versions: [] };
  const others: Part = { insert: insertVersions, versions: [] };
  const sent: Promise<void>[] = [];

  const send = ({ insert, versions }: Part): void => {
    const writing = insert(tx, versions.splice(0));
    // What fails before all are sent is heard of by whoever waits for all of them.
    writing.catch(() => undefined);
    sent.push(writing);
  };

  /** Takes what was decided since, and sends the parts that are full. */
  const sendFull = async (): Promise<void> => {
    for (const version of workspace.takeVersions()) {
      const part = version.isFirst && version.isLast ? newNotes : others;
      part.versions.push(version);
      if (part.versions.length === partMax) {
        send(part);
        await nextTurn();
      }
    }
  };

  /** Sends all that is left; gives the writing of every part, in the order they were sent. */
  const sendRest = async (): Promise<readonly Promise<void>[]> => {
    await sendFull();
    [newNotes, others].filter(({ versions }) => versions.length > 0).forEach(send);
    return sent;
  };

  return { sendFull, sendRest };
};

export type VersionStore = ReturnType<typeof openVersionStore>;
