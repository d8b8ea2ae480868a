import type { Schema } from '@commonplace/client';

type Grant = Schema<'NoteGrant'>;

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
  const others = (grants ?? []).filter(isUnshown);
  const list = (grants ?? []).filter((grant) => !isUnshown(grant));
  const foldersOf = (scope: Grant['scope'], mode: Grant['mode'] = 'direct') =>
    list.flatMap((grant) =>
      grant.scope === scope && grant.folder !== '' && (scope === 'read' || grant.mode === mode)
        ? [grant.folder]
        : [],
    );
  const ofAll = list.find(({ folder }) => folder === '');
  const limited = ofAll ? presetOf(ofAll) : 'folders';
  return {
    preset: grants === null ? 'all' : limited,
    write: foldersOf('any'),
    propose: foldersOf('any', 'propose'),
    append: foldersOf('append'),
    read: foldersOf('read'),
    others,
  };
};

/** The API has additions that are proposals; few need them. */
const isUnshown = ({ scope, mode }: Grant): boolean => scope === 'append' && mode === 'propose';

const presetOf = ({ scope, mode }: Grant): GrantChoice['preset'] => {
  if (scope === 'read') {
    return 'read_all';
  }
  return mode === 'propose' ? 'propose_all' : 'append_all';
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
    return null;
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
