import {
  newId,
  type Author,
  type CompanyId,
  type NoteFields,
  type NoteId,
} from '@commonplace/contracts';
import type { NextVersion } from '../policy/decision.ts';
import { isLiving } from '../policy/note-state.ts';
import { movedDigest, type Living } from '../policy/feed-digest.ts';
import { snippetOf } from '../policy/snippet.ts';
import type { FeedRow } from '../queries/feed-row.ts';
import type { VersionRow } from '../queries/insert-versions.ts';
import type { NoteRow } from '../queries/note-row.ts';

export type WorkspaceStart = {
  readonly companyId: CompanyId;
  readonly feed: FeedRow;
  readonly notes: readonly NoteRow[];
  readonly at: Date;
};

/**
 * The notes of a transaction while its changes are decided, one after the other: each sees what the
 * ones before it did. Nothing is written here; `versions` and `feed` say what is to be written.
 */
export const openWorkspace = ({ companyId, feed, notes, at }: WorkspaceStart) => {
  const now = new Map(notes.map((note) => [note.id, note]));
  const versions: NoteRow[] = [];
  const created: NoteId[] = [];
  const added: Living[] = [];
  const removed: Living[] = [];

  const write = (note: NoteRow): NoteRow => {
    const before = now.get(note.id);
    if (before && isLiving(before)) {
      removed.push(before);
    }
    if (isLiving(note)) {
      added.push(note);
    }
    now.set(note.id, note);
    versions.push(note);
    return note;
  };

  const stamp = (author: Author, isDeleted: boolean) => ({
    changeNo: feed.head + versions.length + 1,
    updatedAt: at,
    updatedByKind: author.kind,
    updatedById: author.id,
    updatedByRunId: author.runId ?? null,
    deletedAt: isDeleted ? at : null,
  });

  /** Starts a note that was not there. */
  const create = (
    id: NoteId,
    next: Pick<NextVersion, 'fields' | 'revision'>,
    { author, conflictOf }: { readonly author: Author; readonly conflictOf: NoteId | null },
  ): NoteRow => {
    created.push(id);
    return write({
      id,
      companyId,
      ...contentOf(next.fields),
      revision: next.revision,
      conflictOf,
      createdAt: at,
      createdByKind: author.kind,
      createdById: author.id,
      createdByRunId: author.runId ?? null,
      ...stamp(author, false),
    });
  };

  /** Moves a note to its next version, or starts it. */
  const advance = (id: NoteId, next: NextVersion, author: Author): NoteRow => {
    const before = now.get(id);
    return before
      ? write({
          ...before,
          ...(next.isDeleted ? {} : contentOf(next.fields)),
          revision: next.revision,
          ...stamp(author, next.isDeleted),
        })
      : create(id, next, { author, conflictOf: null });
  };

  /** Keeps what lost a conflict as a note of its own. */
  const keepCopy = (fields: NoteFields, conflictOf: NoteId, author: Author): NoteId =>
    create(newId() as NoteId, { fields, revision: 1 }, { author, conflictOf }).id;

  return {
    find: (id: NoteId): NoteRow | null => now.get(id) ?? null,
    advance,
    keepCopy,
    /** Ids of notes that were not there before. */
    created: (): readonly NoteId[] => created,
    versions: (): VersionRow[] =>
      versions.map((note) => ({
        note,
        wireBytes: wireBytesOf(note),
        isLast: now.get(note.id) === note,
      })),
    /** Where the feed stands when all this is written. */
    feed: () => ({
      head: feed.head + versions.length,
      liveCount: feed.liveCount + added.length - removed.length,
      digest: movedDigest(feed.digest, { added, removed }),
    }),
  };
};

export type Workspace = ReturnType<typeof openWorkspace>;

/** The writable fields and nothing else, with what is derived from them. */
const contentOf = ({ title, content, folder, tags, pinned, archived, properties }: NoteFields) => ({
  title,
  content,
  folder,
  tags,
  pinned,
  archived,
  properties,
  size: Buffer.byteLength(content),
  snippet: snippetOf(content),
});

/** What ids, times and names take in an answer, about. */
const wireBytesFixed = 700;

const wireBytesOf = (note: NoteRow): number => {
  const { title, folder, tags, properties, snippet, deletedAt } = note;
  const content = deletedAt === null ? note.content : '';
  return (
    wireBytesFixed +
    Buffer.byteLength(JSON.stringify([title, folder, tags, properties, snippet, content]))
  );
};
