import { syncDigest, type NoteOrSummary, type SyncResult } from '@commonplace/contracts';
import type { History } from './history.ts';

/** A client's copy of the server's notes. */
export type Replica = {
  readonly notes: ReadonlyMap<string, { readonly revision: number; readonly content: string }>;
  /** Applies a pulled note or tombstone. */
  readonly take: (note: NoteOrSummary) => void;
  /** Applies a change of the client's own that was stored as sent. */
  readonly set: (id: string, revision: number, content: string | null) => void;
  /** Empties the replica before a full pull. */
  readonly clear: () => void;
  /** Compares count and digest of all active notes with the server's. */
  readonly compare: (integrity: SyncResult['integrity']) => Promise<void>;
};

/** Begins with nothing. */
export const createReplica = (actor: string, companyId: string, history: History): Replica => {
  const notes = new Map<string, { revision: number; content: string }>();
  const set = (id: string, revision: number, content: string | null): void => {
    const known = notes.get(id)?.revision ?? 0;
    if (revision < known) {
      history.violate('revisions never go back', `${actor} has ${known} of ${id}, got ${revision}`);
    }
    if (content === null) {
      notes.delete(id);
    } else {
      notes.set(id, { revision, content });
    }
  };
  return {
    notes,
    set,
    take: ({ id, revision, content, deletedAt, companyId: owner }) => {
      const known = notes.get(id);
      if (owner !== companyId) {
        history.violate('nothing of another company anywhere', `${actor} got ${id} of ${owner}`);
      }
      // With `echo: false` the server leaves out only what this client has sent itself.
      if (deletedAt === null && content === undefined && known?.revision !== revision) {
        history.violate(
          'text is left out only for the client that sent it',
          `${actor} has ${known?.revision ?? 'nothing'} of ${id}, got ${revision} without content`,
        );
      }
      set(id, revision, deletedAt === null ? (content ?? known?.content ?? '') : null);
    },
    clear: () => notes.clear(),
    compare: async (integrity) => {
      const active = [...notes].map(([id, { revision }]) => ({ id, revision }));
      const digest = await syncDigest(active);
      if (integrity && (integrity.count !== active.length || integrity.digest !== digest)) {
        history.violate(
          'no change is skipped',
          `${actor} has ${active.length} notes (${digest}) after its last page, the server ${integrity.count} (${integrity.digest})`,
        );
      }
    },
  };
};
