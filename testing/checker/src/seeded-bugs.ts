import type { SeededBug } from './seeded-bug.ts';
import { editBugs } from './seeded-edit-bugs.ts';
import { grantBugs } from './seeded-grant-bugs.ts';

const head = 'services/notes/src/queries/feed.ts';
const writeBatch = 'services/notes/src/write/write-batch.ts';
const headInSequence = `
  create sequence notes.seeded_head minvalue 0 start 0;
  grant usage, select, update on sequence notes.seeded_head to notes_app`;

/** The bugs that the checker must detect (docs/sync-checker.md). */
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
    breaks: 'the new head is readable before the changes it counts are saved',
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
    invariant: 'replays return the same results',
    breaks: 'a repeated change is applied again',
    edits: [
      {
        file: 'services/notes/src/write/mutation-log.ts',
        find: 'return key && (known.get(keyOf(key)) ?? null);',
        put: 'return key && null;',
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
    invariant: 'all replicas are equal',
    breaks: 'subscribers are notified before a change is committed, and not again',
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
      {
        file: writeBatch,
        find: '  { db, clock, merger, sharesTexts }: BatchDeps,',
        put: '  deps: any,',
      },
      {
        file: writeBatch,
        find: '  const ids = [...new Set(changes.flatMap(notesOfChange))];',
        put: `  const { db, clock, merger, sharesTexts } = deps;
          const ids = [...new Set(changes.flatMap(notesOfChange))];`,
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
    breaks: 'no page of a full pull has deletions, not even concurrent ones',
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
    breaks: 'a page that omits one note claims to be the last',
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
    breaks: 'a merge is acknowledged, but the old text is stored',
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
    breaks: 'additions of both sides at the end of a note are concatenated without comparison',
    edits: [
      {
        file: 'packages/merge/src/unite-ends.ts',
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
    invariant: 'a restored note keeps its text',
    breaks: 'a large note that is deleted without being read loses its text',
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
    invariant: 'writes beside an expensive merge succeed',
    breaks: 'many lines become call arguments, and the failure aborts the whole transaction',
    edits: [
      {
        file: 'services/notes/src/merge/create-merger.ts',
        find: 'const { merged, ms } = await thread.merge(',
        put: `[].push(...new Array(200_000));
          const { merged, ms } = await thread.merge(`,
      },
      {
        file: 'services/notes/src/write/note-writer.ts',
        find: 'writes.length === 1 || mayBeCommitted(failed.reason)',
        put: 'failed.reason',
      },
    ],
  },
  {
    name: 'echo-by-author',
    invariant: 'text is left out only for the client that sent it',
    breaks:
      'with `echo: false` a client does not get merged text, because it is the author of the merge',
    edits: [
      {
        file: 'services/notes/src/sync/without-content.ts',
        find: 'wasSentBy(note, clientId);',
        put: '(clientId !== undefined || wasSentBy(note, clientId));',
      },
    ],
  },
  ...editBugs,
  ...grantBugs,
];
