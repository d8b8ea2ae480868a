import type { SeededBug } from './seeded-bug.ts';

const loadBatchState = 'services/notes/src/write/load-batch-state.ts';

/** Bugs of edits, of appends that are synchronised, and of creating by title. */
export const editBugs: readonly SeededBug[] = [
  {
    name: 'append-not-deduplicated',
    invariant: 'no token twice in a note',
    breaks: 'an append that is repeated after a lost response is applied again',
    edits: [
      {
        file: 'services/notes/src/routes/edit-note.ts',
        find: 'mutationId === undefined',
        put: 'mutationId !== undefined',
      },
    ],
  },
  {
    name: 'edit-of-a-stale-text',
    invariant: 'an acknowledged edit is in an active note',
    breaks: 'a process edits the text that it wrote last, not the one that another wrote since',
    edits: [
      {
        file: 'services/notes/src/write/apply-change.ts',
        find: 'const edited = editText(edit, { content, revision, proposalId: earlier?.id ?? null });',
        put: `const last = ((globalThis as any).lastContents ??= new Map());
          const before = last.get(edit.id) ?? content;
          const edited = editText(edit, { content: before, revision, proposalId: null });
          if ('content' in edited) {
            last.set(edit.id, edited.content);
          }`,
      },
    ],
  },
  {
    name: 'edits-in-part',
    invariant: 'a refused edit changes nothing',
    breaks: 'edits before one that does not fit are stored',
    edits: [
      {
        file: 'services/notes/src/edit/apply-text-edits.ts',
        find: 'return { failure: { ...edited, extensions: { edit: index, ...edited.extensions } } };',
        put: 'return { content: text };',
      },
    ],
  },
  {
    name: 'append-dropped-by-merge',
    invariant: 'an acknowledged edit is in the revisions',
    breaks: 'of two appends to the same version, the merge keeps one',
    edits: [
      {
        file: 'packages/merge/src/unite-ends.ts',
        find: 'return rest.some((line) => known.has(line)) ? null : [...first, ...rest];',
        put: 'return rest.some((line) => known.has(line)) ? null : first;',
      },
    ],
  },
  {
    name: 'titles-read-without-lock',
    invariant: 'one note per title',
    breaks: 'the titles that a creation depends on are read before the lock is held',
    edits: [
      {
        file: loadBatchState,
        find: '  const [feed, read, purged, foreignIds, stored, titled] = await Promise.all([',
        put: `  const titles = creates.map(({ fields }) => fields);
          const early = creates.length > 0 ? await listTitledNotes(tx, titles, 1) : [];
          await new Promise((resolve) => setTimeout(resolve, 50));
          const [feed, read, purged, foreignIds, stored, titled] = await Promise.all([`,
      },
      {
        file: loadBatchState,
        find: '? listTitledNotes(',
        put: '? early ?? listTitledNotes(',
      },
    ],
  },
  {
    name: 'undo-to-the-version-before',
    invariant: 'an undo loses no line of others',
    breaks: 'an undo brings the version before the source back, without what others wrote since',
    edits: [
      {
        file: 'services/notes/src/rules/undo-note.ts',
        find: 'const next = { ...rest, content: taken.text };',
        put: `const next = { ...rest, content: read.get(revisionsOf(read)[0] ?? 0)?.content ?? '' };`,
      },
    ],
  },
  {
    name: 'undone-text-merged-back',
    invariant: 'what is undone is gone or listed',
    breaks: 'a change that is based on an undone version is merged, and its text is there again',
    edits: [
      {
        file: 'services/notes/src/rules/decide-sync.ts',
        find: 'revision !== null && undone.some(',
        put: 'revision === -1 && undone.some(',
      },
    ],
  },
];
