import type { ApiClient } from '../api-client.ts';
import { createDigest } from './digest.ts';
import { editNote } from './edit-note.ts';
import { isPending, visibleText, type LocalNote, type Origin } from './local-note.ts';
import { noteText, type NoteText } from './note-text.ts';
import { openReplica } from './replica.ts';
import type { SyncStore } from './sync-store.ts';
import type { SyncOptions } from './sync-context.ts';
import { synchronise, type SyncReport } from './synchronise.ts';

/** An edit of one note. */
export type Edit = {
  readonly id: string;
  /** The whole note as it shall be; fields left out get their defaults. Null deletes it. */
  readonly text: Partial<NoteText> | null;
  /** What it was made from; left out, what the client shows now. */
  readonly origin?: Origin;
};

/** A note as the application sees it, own edits included. */
export type VisibleNote = {
  readonly id: string;
  readonly text: NoteText;
  /** Where an edit made from this text begins. */
  readonly origin: Origin;
  readonly conflictOf: string | null;
  readonly isPending: boolean;
  /** Why the server refuses the pending edit. */
  readonly refusal: LocalNote['refusal'];
};

/** A replica of a company's notes that can be edited offline. */
export type SyncClient = {
  readonly notes: () => VisibleNote[];
  readonly find: (id: string) => VisibleNote | null;
  /** Takes edits in; resolves when they would survive a crash. Nothing is sent yet. */
  readonly edit: (edits: readonly Edit[]) => Promise<void>;
  /** How many notes have edits that the server does not have yet. */
  readonly pendingCount: () => number;
  /** Pushes and pulls until both sides are equal. Calls that overlap wait for each other. */
  readonly synchronise: (options?: SyncOptions) => Promise<SyncReport>;
};

/** Where the API is and where the state is kept. */
export type SyncClientOptions = { readonly api: ApiClient; readonly store: SyncStore };

/**
 * Opens a replica: notes are read and edited locally, and `synchronise` brings both sides together.
 *
 * - An edit is durable before it is sent, and is sent under one name until it is answered: it is never
 *   lost and never applied twice, whatever breaks off in between.
 * - There is one change under way for each note at most; further edits are gathered and follow it.
 * - What others wrote is merged by the server; what cannot be merged becomes a note of its own.
 */
export const openSyncClient = async ({ api, store }: SyncClientOptions): Promise<SyncClient> => {
  const replica = await openReplica(store);
  await replica.commit();
  const context = { api, replica, digest: createDigest() };
  let running: Promise<unknown> = Promise.resolve();
  return {
    notes: () => [...replica.all()].flatMap((note) => presentNote(note) ?? []),
    find: (id) => presentNote(replica.find(id)),
    edit: async (edits) => {
      for (const { id, text, origin } of edits) {
        const note = replica.find(id);
        const from = origin ?? { revision: note.server?.revision ?? null };
        replica.setNote(editNote(note, text && noteText(text), from));
      }
      await replica.commit();
    },
    pendingCount: () => replica.pending().length,
    synchronise: (options = {}) => {
      const next = running.catch(() => undefined).then(() => synchronise(context, options));
      running = next;
      return next;
    },
  };
};

const presentNote = (note: LocalNote): VisibleNote | null => {
  const text = visibleText(note);
  return (
    text && {
      id: note.id,
      text,
      origin: note.draft?.origin ?? { revision: note.server?.revision ?? null },
      conflictOf: note.server?.conflictOf ?? null,
      isPending: isPending(note),
      refusal: note.refusal,
    }
  );
};
