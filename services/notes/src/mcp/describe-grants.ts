import type { NoteGrant } from '@commonplace/contracts/core';
import type { CompanyScope } from '@commonplace/http';
import { oneLine } from './format.ts';

/** The folders that a caller reaches, as lines; none where it reaches all notes. */
export const describeGrants = ({ grants }: Pick<CompanyScope, 'grants'>): string[] =>
  grants === null
    ? []
    : [`folders: ${grants.length === 0 ? 'none' : grants.map(describeGrant).join('; ')}`];

const describeGrant = ({ folder, scope, mode }: NoteGrant): string =>
  `${nameOf(folder)} (${rights[scope]}${mode === 'propose' && scope !== 'read' ? '; changes are proposals' : ''})`;

const rights: Record<NoteGrant['scope'], string> = {
  read: 'read only',
  append: 'read, append and create',
  any: 'read and write',
};

const nameOf = (folder: string): string => {
  if (folder === '') {
    return 'all folders';
  }
  return folder === '/' ? 'notes without a folder' : oneLine(folder, 200);
};
