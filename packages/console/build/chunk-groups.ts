import type { Users } from './find-users.ts';

type Names = ReadonlySet<string>;

const scripts = /\.(?:[cm]?js|tsx?)$/;

/** Modules of these are files of their own, which tests and preloads find by name. */
const entries = /\/src\/(?:main\.tsx|pages\/.*-page\.tsx|app\/shell\/app-layout\.tsx)$/;

const isOfLibrary = (id: string): boolean => id.includes('/node_modules/');

/**
 * What pages share, in few files: one for each set of pages that share some would be a hundred, each fetched and found in
 * the imports of another. The first that fits takes a module. They go from what most use to what few use, because a
 * module takes what it imports along.
 */
const rules: readonly (readonly [string, (users: Names, id: string) => boolean])[] = [
  ['first', (users) => users.has('index')],
  ['common', (users) => users.size >= 25 || (users.has('app-layout') && users.has('login-page'))],
  ['layout', (users) => users.has('app-layout')],
  ['lists', (users) => users.size > 2 && (users.has('notes-page') || users.has('dashboard-page'))],
  ['forms', (users) => users.size > 1 && users.has('login-page')],
  ['panels', (users) => users.has('agent-page') && users.has('note-page')],
  ['markdown', (users) => users.has('note-page') && users.has('edit-note-page')],
  ['fields', (users, id) => users.size > 4 && isOfLibrary(id)],
  ['writing', (users) => users.size > 1 && users.has('edit-note-page')],
  ['shared', (users) => users.size > 3],
];

/** The groups of modules that become one file each. */
export const chunkGroups = (users: Users) =>
  rules.map(([name, isWanted], index) => ({
    priority: rules.length - index,
    name: (id: string): string | null => {
      const found = users.get(id);
      return found && scripts.test(id) && !entries.test(id) && isWanted(found, id) ? name : null;
    },
  }));
