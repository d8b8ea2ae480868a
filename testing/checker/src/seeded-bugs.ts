/** A bug that somebody could have written, as a change of one or two files of the notes service. */
export type SeededBug = {
  readonly name: string;
  /** What it breaks, for people. */
  readonly breaks: string;
  /** The promise that is then broken. */
  readonly invariant: string;
  /** Each text must be found exactly once, so that a change of the service can't disarm its bug. */
  readonly edits: readonly { readonly file: string; readonly find: string; readonly put: string }[];
  /** What the bug needs of the database. */
  readonly prepare?: string;
};

const head = 'services/notes/src/queries/feed.ts';
const writeBatch = 'services/notes/src/write/write-batch.ts';
const headInSequence = `
  create sequence notes.seeded_head minvalue 0 start 0;
  grant usage, select, update on sequence notes.seeded_head to notes_app`;

/** The bugs that a checker of synchronisation is worth its name for catching (docs/sync-checker.md). */
export const seededBugs: readonly SeededBug[] = [
  {
    name: 'sequence-cursor',
    invariant: 'no change is skipped',
    breaks:
      'change numbers come from a sequence, without a lock: a cursor passes what commits later',
    prepare: `
      create sequence notes.seeded_change start 1;
      grant usage on sequence notes.seeded_change to notes_app`,
    edits: [
      {
        file: 'services/notes/src/queries/feed.ts',
        find: 'select ${feedColumns} from notes.company_feed f where f.company_id = $1 for no key update',
        put: `select f.epoch, 1000 * nextval('notes.seeded_change')::bigint as head, f.floor,
          f.live_count as "liveCount", f.digest from notes.company_feed f where f.company_id = $1`,
      },
      {
        file: 'services/notes/src/queries/feed.ts',
        find: 'set head = $2,',
        put: 'set head = greatest(head, $2),',
      },
    ],
  },
  {
    name: 'token-before-save',
    invariant: 'no change is skipped',
    breaks: 'the new head can be read before what it stands for is saved',
    prepare: headInSequence,
    edits: [
      {
        file: head,
        find: "'f.epoch, f.head, f.floor,",
        put: `'f.epoch, greatest(f.head, (select last_value from notes.seeded_head)) as head, f.floor,`,
      },
      {
        file: writeBatch,
        find: '  const created = stagedNotes.created();',
        put: `  if (stagedNotes.hasVersions()) {
            await tx.query("select setval('notes.seeded_head', $1)", [stagedNotes.feed().head], 'seed');
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          const created = stagedNotes.created();`,
      },
    ],
  },
  {
    name: 'no-mutation-log',
    invariant: 'replays answer the same',
    breaks: 'a change that is sent again is applied again',
    edits: [
      {
        file: 'services/notes/src/write/mutation-log.ts',
        find: 'known.get(keyOf(change.mutation)) ?? null',
        put: 'null',
      },
      {
        file: 'services/notes/src/write/mutation-log.ts',
        find: 'recorded.push(mutation);',
        put: '',
      },
    ],
  },
  {
    name: 'hint-before-commit',
    invariant: 'all copies are equal',
    breaks: 'listeners are told of a change that nobody can read yet, and not again',
    edits: [
      {
        file: writeBatch,
        find: '    return { outcomes, ...(await store(tx, state, versions)) };',
        put: `    const stored = await store(tx, state, versions);
          if (stored.hasVersions) {
            deps.onCommit(companyId, stored.feed.head);
            await new Promise((resolve) => setTimeout(resolve, 600));
          }
          return { outcomes, ...stored };`,
      },
      { file: writeBatch, find: '  { db, clock, merger }: BatchDeps,', put: '  deps: any,' },
      {
        file: writeBatch,
        find: '  const ids = [...new Set(changes.map(({ id }) => id))];',
        put: `  const { db, clock, merger } = deps;
          const ids = [...new Set(changes.map(({ id }) => id))];`,
      },
      {
        file: 'services/notes/src/write/note-writer.ts',
        find: 'deps.onCommit(companyId, written.feed.head);',
        put: '',
      },
    ],
  },
  {
    name: 'tombstones-omitted',
    invariant: 'no change is skipped',
    breaks: 'no page of a first pull has deletions, not even those made meanwhile',
    edits: [
      {
        file: 'services/notes/src/sync/pull-changes.ts',
        find: 'cursor ? (cursor.snapshotHead ?? 0) : null',
        put: 'cursor && cursor.snapshotHead === undefined ? 0 : null',
      },
    ],
  },
  {
    name: 'has-more-off-by-one',
    invariant: 'no change is skipped',
    breaks: 'a page that leaves one note out says that it is the last',
    edits: [
      {
        file: 'services/notes/src/queries/changes.ts',
        find: 'hasMore: notes.length < feed.candidates',
        put: 'hasMore: notes.length + 1 < feed.candidates',
      },
    ],
  },
  {
    name: 'merge-not-stored',
    invariant: 'an acknowledged edit is in the revisions',
    breaks: 'a merge is answered and the old text is kept',
    edits: [
      {
        file: 'services/notes/src/rules/decide-sync.ts',
        find: "applied('merged', { fields: merged,",
        put: "applied('merged', { fields: now,",
      },
    ],
  },
  {
    name: 'additions-twice',
    invariant: 'no token twice in a note',
    breaks: 'what both sides added at the end of a note is put together without a look',
    edits: [
      {
        file: 'services/notes/src/merge/unite-ends.ts',
        find: '  if (contains(first, second)) {',
        put: `  if (true) {
            return [...first, ...second];
          }
          if (contains(first, second)) {`,
      },
    ],
  },
  {
    name: 'large-text-lost',
    invariant: 'what is brought back says what it said',
    breaks: 'a large note that is deleted without being read keeps no text',
    edits: [
      {
        file: 'services/notes/src/queries/write-versions.ts',
        find: 'then n.content',
        put: `then ''`,
      },
    ],
  },
  {
    name: 'neighbours-fail',
    invariant: 'a write beside a hard merge is kept',
    breaks: 'many lines are spread into a call, and what fails takes its whole transaction with it',
    edits: [
      {
        file: 'services/notes/src/merge/create-merger.ts',
        find: 'const { merged, ms } = await thread.merge(',
        put: `[].push(...new Array(200_000));
          const { merged, ms } = await thread.merge(`,
      },
      {
        file: 'services/notes/src/write/note-writer.ts',
        find: 'jobs.length === 1 || mayBeCommitted(reason)',
        put: 'reason',
      },
    ],
  },
];
