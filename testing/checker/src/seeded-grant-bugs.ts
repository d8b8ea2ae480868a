import type { SeededBug } from './seeded-bug.ts';

/** Bugs that show what the grants of a credential do not reach, or hide what they do. */
export const grantBugs: readonly SeededBug[] = [
  {
    name: 'folders-forgotten',
    invariant: 'never a byte from outside the grants',
    breaks: 'transactions run without the folders that their caller reaches',
    edits: [
      {
        file: 'packages/db/src/scope.ts',
        find: `set_config('app.folders', $2, true)`,
        put: `set_config('app.forgotten_folders', $2, true)`,
      },
    ],
  },
  {
    name: 'removal-shows-the-new-title',
    invariant: 'never a byte from outside the grants',
    breaks: 'the removal of a note that was moved out of reach shows what it has become',
    edits: [
      {
        file: 'services/notes/src/queries/departures.ts',
        find: 'title: before.title,',
        put: 'title: after.title,',
      },
    ],
  },
  {
    name: 'departures-not-stored',
    invariant: 'a narrow reader has what it reaches',
    breaks: 'a note that was moved out of reach stays with those who had it',
    edits: [
      {
        file: 'services/notes/src/write/staged-notes.ts',
        find: 'moves.departures.push(departureOf(before, note));',
        put: 'departureOf(before, note);',
      },
    ],
  },
];
