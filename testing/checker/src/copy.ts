import { syncDigest, type NoteOrSummary, type SyncResult } from '@commonplace/contracts';
import type { History } from './history.ts';

/** The server's notes as somebody knows them from pulls. */
export type Copy = {
  readonly notes: ReadonlyMap<string, { readonly revision: number; readonly content: string }>;
  /** Takes in a note that is not a tombstone, or one that is. */
  readonly take: (note: NoteOrSummary) => void;
  /** A change of one's own was stored as it was sent. */
  readonly set: (id: string, revision: number, content: string | null) => void;
  /** Everything is pulled anew. */
  readonly clear: () => void;
  /** Compares with what the server says about all living notes. */
  readonly compare: (integrity: SyncResult['integrity']) => Promise<void>;
};

/** Begins with nothing. */
export const createCopy = (who: string, companyId: string, history: History): Copy => {
  const notes = new Map<string, { revision: number; content: string }>();
  const set = (id: string, revision: number, content: string | null): void => {
    const known = notes.get(id)?.revision ?? 0;
    if (revision < known) {
      history.violate('revisions never go back', `${who} has ${known} of ${id}, got ${revision}`);
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
      if (owner !== companyId) {
        history.violate('nothing of another company anywhere', `${who} got ${id} of ${owner}`);
      }
      set(id, revision, deletedAt === null ? (content ?? '') : null);
    },
    clear: () => notes.clear(),
    compare: async (integrity) => {
      const living = [...notes].map(([id, { revision }]) => ({ id, revision }));
      const digest = await syncDigest(living);
      if (integrity && (integrity.count !== living.length || integrity.digest !== digest)) {
        history.violate(
          'no change is skipped',
          `${who} has ${living.length} notes (${digest}) after its last page, the server ${integrity.count} (${integrity.digest})`,
        );
      }
    },
  };
};
