import type { ApiClient } from '../api-client.ts';
import { createDigest } from './digest.ts';
import { editNote } from './edit-note.ts';
import { createProposalFollower } from './follow-proposals.ts';
import { forgetPassingRefusals } from './forget-passing-refusals.ts';
import { isPending, visibleText, type LocalNote, type Origin } from './local-note.ts';
import { lowerCaseIds } from './lower-case-ids.ts';
import { toNoteId } from './note-id.ts';
import { noteText, type NoteText } from './note-text.ts';
import { createPagePace } from './page-pace.ts';
import { openReplica, type Replica } from './replica.ts';
import type { SyncStore } from './sync-store.ts';
import type { SyncOptions } from './sync-context.ts';
import { nothingUnreported } from './unreported.ts';
import { createUploadPace } from './upload-pace.ts';
import { synchronise, type SyncReport } from './synchronise.ts';

/** An edit of one note. */
export type Edit = {
  readonly id: string;
  /** The complete new note; omitted fields get their defaults. Null deletes it. */
  readonly text: Partial<NoteText> | null;
  /** The base of the edit; by default, what the client shows now. */
  readonly origin?: Origin;
};

/** A note as the application sees it, including unsent edits. */
export type VisibleNote = {
  readonly id: string;
  readonly text: NoteText;
  /** The base of an edit of this text. */
  readonly origin: Origin;
  readonly conflictOf: string | null;
  readonly isPending: boolean;
  /** Why the server rejected the pending edit. */
  readonly rejection: LocalNote['refusal'];
};

/** A note with an edit that the server has not confirmed. */
export type PendingEdit = Pick<VisibleNote, 'id' | 'rejection'> & {
  /** The note as edited, or as the server has it if the edit deletes it. */
  readonly text: NoteText | null;
};

/** A replica of a company's notes that works offline. */
export type SyncClient = {
  readonly notes: () => VisibleNote[];
  readonly find: (id: string) => VisibleNote | null;
  /**
   * Stores edits; resolves when they are durable. Nothing is sent yet. Rejects, and stores none of them, if an id is not a
   * UUID or a text is not JSON.
   */
  readonly edit: (edits: readonly Edit[]) => Promise<void>;
  /** Drops edits that the server refused: their notes are shown as the server has them. */
  readonly discardRejected: (ids: readonly string[]) => Promise<void>;
  /** How many notes have unconfirmed edits. */
  readonly pendingCount: () => number;
  /** Notes with edits that the server has not confirmed, and why it rejected them. */
  readonly pending: () => PendingEdit[];
  /** Notes that are gone because the credential no longer reaches their folders. They may exist. */
  readonly withdrawnIds: () => string[];
  /** Forgets such notes, once the application has put their text aside. */
  readonly forgetWithdrawn: (ids: readonly string[]) => Promise<void>;
  /**
   * Pushes and pulls until both sides are equal. Overlapping calls run one after the other. What a call received before it
   * failed is in the report of the next one.
   */
  readonly synchronise: (options?: SyncOptions) => Promise<SyncReport>;
};

/** The API, and the store of the client's state. */
export type SyncClientOptions = {
  readonly api: ApiClient;
  readonly store: SyncStore;
  /**
   * The application shows proposals: edits where the grants of the credential have the mode `propose` are sent, and pending
   * with the rejection `proposed` until somebody decides about them. Without it they are rejected. Servers of earlier releases
   * refuse requests with it.
   */
  readonly proposals?: boolean;
};

/**
 * Opens a replica: notes are read and edited locally, and `synchronise` exchanges changes with the server.
 *
 * - An edit is durable before it is sent, and keeps its mutation id until its result is known. So no
 *   failure loses it or applies it twice.
 * - Each note has at most one change in flight; later edits are combined and follow it.
 * - The server merges concurrent changes. What it cannot merge becomes a conflict copy.
 */
export const openSyncClient = async ({
  api,
  store,
  proposals = false,
}: SyncClientOptions): Promise<SyncClient> => {
  const replica = await openReplica(store);
  lowerCaseIds(replica);
  forgetPassingRefusals(replica);
  await replica.commit();
  const context = {
    api,
    replica,
    digest: createDigest(),
    pace: createUploadPace(),
    pages: createPagePace(),
    proposals,
    followProposals: createProposalFollower(),
    unreported: nothingUnreported(),
  };
  let running: Promise<unknown> = Promise.resolve();
  return {
    notes: () => [...replica.all()].flatMap((note) => presentNote(note) ?? []),
    find: (id) => presentNote(findNote(replica, id)),
    edit: async (edits) => {
      edits.map((edit) => checkEdit(replica, edit)).forEach((edit) => applyEdit(replica, edit));
      await replica.commit();
    },
    discardRejected: async (ids) => {
      ids.map((id) => findNote(replica, id)).forEach((note) => discard(replica, note));
      await replica.commit();
    },
    pendingCount: () => replica.pending().length,
    pending: () => replica.pending().map(presentEdit),
    withdrawnIds: () =>
      [...replica.all()].flatMap(({ id, isWithdrawn }) => (isWithdrawn === true ? [id] : [])),
    forgetWithdrawn: async (ids) => {
      for (const id of ids) {
        const { isWithdrawn: _, ...note } = replica.find(id);
        replica.setNote(note);
      }
      await replica.commit();
    },
    synchronise: (options = {}) => {
      const next = running.catch(() => undefined).then(() => synchronise(context, options));
      running = next;
      return next;
    },
  };
};

/** A store of an earlier version may have edits under an id that is none; they are found under it, and can be taken back. */
const findNote = (replica: Replica, id: string): LocalNote => {
  const note = replica.find(id);
  return isPending(note) ? note : replica.find(id.toLowerCase());
};

const discard = (replica: Replica, note: LocalNote): void => {
  const isInFlight = note.outstanding !== null || note.refusal?.code === 'proposed';
  if (note.refusal && !isInFlight) {
    replica.setNote({ ...note, draft: null, refusal: null });
  }
};

type CheckedEdit = {
  readonly id: string;
  readonly text: NoteText | null;
  readonly origin?: Origin;
};

/** Throws for what no request could hold: nothing of all the edits is stored then. */
const checkEdit = (replica: Replica, { id, text, ...rest }: Edit): CheckedEdit => {
  const checked = text && noteText(text);
  // A BigInt or a cycle among the properties throws here, and not in every later push.
  JSON.stringify(checked);
  return { ...rest, text: checked, id: isPending(replica.find(id)) ? id : toNoteId(id) };
};

const applyEdit = (replica: Replica, { id, text, origin }: CheckedEdit): void => {
  const note = replica.find(id);
  replica.setNote(editNote(note, text, origin ?? { revision: note.server?.revision ?? null }));
};

/** The text of a change in flight may be merged, so that no revision of the server has it. */
const originOf = ({ draft, outstanding, server }: LocalNote): Origin => {
  if (draft) {
    return draft.origin;
  }
  return outstanding ? { mutation: outstanding.mutation } : { revision: server?.revision ?? null };
};

const presentEdit = (note: LocalNote): PendingEdit => ({
  id: note.id,
  text: visibleText(note) ?? note.server?.text ?? null,
  rejection: note.refusal,
});

const presentNote = (note: LocalNote): VisibleNote | null => {
  const text = visibleText(note);
  return (
    text && {
      id: note.id,
      text,
      origin: originOf(note),
      conflictOf: note.server?.conflictOf ?? null,
      isPending: isPending(note),
      rejection: note.refusal,
    }
  );
};
