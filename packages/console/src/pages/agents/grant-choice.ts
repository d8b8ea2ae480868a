import type { Schema } from '@commonplace/client';

export type Grant = Schema<'NoteGrant'>;

/** The notes that an agent or a key reaches, as a form shows it; the folders count for the presets that name them. */
export type GrantChoice = {
  readonly preset: 'all' | 'propose_all' | 'append_all' | 'read_all' | 'folders';
  readonly write: readonly string[];
  readonly propose: readonly string[];
  readonly append: readonly string[];
  readonly read: readonly string[];
  /** Grants that the form does not show, and keeps. */
  readonly others: readonly Grant[];
};

/** The initial value of a form. */
export const choiceOf = (grants: readonly Grant[] | null): GrantChoice => {
  // The preset shows one grant of all notes.
  const shown = grants?.find((grant) => grant.folder === '' && !isRare(grant));
  const isUnshown = (grant: Grant): boolean =>
    grant !== shown && (grant.folder === '' || isRare(grant));
  const list = (grants ?? []).filter((grant) => grant !== shown && !isUnshown(grant));
  const foldersOf = (scope: Grant['scope'], mode: Grant['mode'] = 'direct') =>
    list.flatMap((grant) =>
      grant.scope === scope && (scope === 'read' || grant.mode === mode) ? [grant.folder] : [],
    );
  const limited = shown ? presetOf(shown) : 'folders';
  return {
    preset: grants === null || grants.some(isWhole) ? 'all' : limited,
    write: foldersOf('any'),
    propose: foldersOf('any', 'propose'),
    append: foldersOf('append'),
    read: foldersOf('read'),
    others: (grants ?? []).filter(isUnshown),
  };
};

/** A choice with another preset. It says what is reached of all notes: grants of them that are not shown leave. */
export const withPreset = (choice: GrantChoice, preset: GrantChoice['preset']): GrantChoice => ({
  ...choice,
  preset,
  others: choice.others.filter(({ folder }) => folder !== ''),
});

/** All notes, as a grant: less than no grants at all, because some requests refuse callers with grants. */
const isWhole = ({ folder, scope, mode }: Grant): boolean =>
  folder === '' && scope === 'any' && mode === 'direct';

/** The API has additions that are proposals, and all notes as a grant; few need them. */
const isRare = (grant: Grant): boolean =>
  isWhole(grant) || (grant.scope === 'append' && grant.mode === 'propose');

const presetOf = ({ scope, mode }: Grant): GrantChoice['preset'] => {
  if (scope === 'read') {
    return 'read_all';
  }
  return mode === 'propose' ? 'propose_all' : 'append_all';
};

/** The initial value of a form for somebody who only reads: what may be changed may be read. */
export const readingChoiceOf = (grants: readonly Grant[] | null): GrantChoice => {
  const { preset } = choiceOf(grants);
  const folders = (grants ?? []).map(({ folder }) => folder).filter((folder) => folder !== '');
  return {
    preset: preset === 'folders' ? 'folders' : 'all',
    write: [],
    propose: [],
    append: [],
    read: [...new Set(folders)],
    others: [],
  };
};

/** The grants of a choice; null: all notes. */
export const grantsOf = ({
  preset,
  write,
  propose,
  append,
  read,
  others,
}: GrantChoice): Grant[] | null => {
  if (preset === 'all') {
    return others.some(isWhole) ? [...others] : null;
  }
  const proposing = preset === 'propose_all' ? [''] : propose;
  const appending = preset === 'append_all' ? [''] : append;
  const reading = preset === 'read_all' ? [''] : preset === 'folders' ? read : [];
  return [
    ...write.map((folder) => ({ folder, scope: 'any', mode: 'direct' }) as const),
    ...proposing.map((folder) => ({ folder, scope: 'any', mode: 'propose' }) as const),
    ...appending.map((folder) => ({ folder, scope: 'append', mode: 'direct' }) as const),
    ...reading.map((folder) => ({ folder, scope: 'read', mode: 'direct' }) as const),
    ...others,
  ];
};

/** What is wrong with a choice: one that reaches no note. Null: nothing, as with what reached none before. */
export const reachProblem = (
  choice: GrantChoice,
  before: readonly Grant[] | null = null,
): string | null =>
  grantsOf(choice)?.length === 0 && before?.length !== 0 ? 'Name at least one folder.' : null;

/** Whether grants reach a folder, `/` being the notes without one. */
export const reachesFolder = (grants: readonly Grant[], folder: string): boolean =>
  grants.some(
    (grant) => ['', folder].includes(grant.folder) || folder.startsWith(`${grant.folder}/`),
  );

/** Grants in a few words. */
export const describeGrants = (grants: readonly Grant[] | null): string => {
  if (grants === null) {
    return 'all notes';
  }
  return grants.length === 0
    ? 'no notes'
    : grants.map((grant) => `${nameOf(grant.folder)}${rightOf(grant)}`).join(', ');
};

const rightOf = ({ scope, mode }: Grant): string =>
  mode === 'direct' || scope === 'read' ? rights[scope] : proposals[scope];

const proposals = { append: ' (read, and propose to add)', any: ' (read and propose)' } as const;

const rights: Record<Grant['scope'], string> = {
  read: ' (read only)',
  append: ' (read and add)',
  any: '',
};

const nameOf = (folder: string): string => {
  if (folder === '') {
    return 'all notes';
  }
  return folder === '/' ? 'notes without a folder' : folder;
};
