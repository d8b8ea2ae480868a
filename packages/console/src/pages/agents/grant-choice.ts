import type { Schema } from '@commonplace/client';

type Grant = Schema<'NoteGrant'>;

/** The notes that an agent or a key reaches, as a form shows it; the folders count for the presets that name them. */
export type GrantChoice = {
  readonly preset: 'all' | 'append_all' | 'read_all' | 'folders';
  readonly write: readonly string[];
  readonly append: readonly string[];
  readonly read: readonly string[];
};

/** The initial value of a form. */
export const choiceOf = (grants: readonly Grant[] | null): GrantChoice => {
  const list = grants ?? [];
  const foldersOf = (scope: Grant['scope']) =>
    list.flatMap((grant) => (grant.scope === scope && grant.folder !== '' ? [grant.folder] : []));
  const ofAll = list.find(({ folder }) => folder === '');
  const limited = ofAll ? (ofAll.scope === 'read' ? 'read_all' : 'append_all') : 'folders';
  return {
    preset: grants === null ? 'all' : limited,
    write: foldersOf('any'),
    append: foldersOf('append'),
    read: foldersOf('read'),
  };
};

/** The grants of a choice; null: all notes. */
export const grantsOf = ({ preset, write, append, read }: GrantChoice): Grant[] | null => {
  if (preset === 'all') {
    return null;
  }
  const appending = preset === 'append_all' ? [''] : append;
  const reading = preset === 'read_all' ? [''] : preset === 'folders' ? read : [];
  return [
    ...write.map((folder) => ({ folder, scope: 'any', mode: 'direct' }) as const),
    ...appending.map((folder) => ({ folder, scope: 'append', mode: 'direct' }) as const),
    ...reading.map((folder) => ({ folder, scope: 'read', mode: 'direct' }) as const),
  ];
};

/** Grants in a few words. */
export const describeGrants = (grants: readonly Grant[] | null): string => {
  if (grants === null) {
    return 'all notes';
  }
  return grants.length === 0
    ? 'no notes'
    : grants.map(({ folder, scope }) => `${nameOf(folder)}${rights[scope]}`).join(', ');
};

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
