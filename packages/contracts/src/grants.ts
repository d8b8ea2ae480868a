import { z } from 'zod';
import { AppError } from './app-error.ts';
import { isStorableText } from './common.ts';
import type { CompanyId } from './ids.ts';

/** What may be done with the notes of a folder, weakest first. */
export const grantScopes = ['read', 'append', 'any'] as const;
/** Whether a write counts at once, weakest first. With `read` it means nothing. */
export const grantModes = ['propose', 'direct'] as const;

/** Grants of one list, and the bytes of their JSON: those of an agent, a key and a run fit into one header. */
export const grantsMax = 32;
export const grantsBytesMax = 2_048;

/** The folder of a grant that only reaches notes without a folder. */
const withoutFolder = '/';

const isGrantFolder = (value: string): boolean =>
  value === '' ||
  value === withoutFolder ||
  value.split('/').every((segment) => !['', '.', '..'].includes(segment));

const grantFolder = z
  .string()
  // What follows would take long for a longer one.
  .max(512, { abort: true })
  .refine(isStorableText, 'must not hold NUL or lone surrogates')
  .refine(
    (value) => !/[\u0000-\u001f\u007f-\u009f]/.test(value),
    'must not hold control characters',
  )
  .refine((value) => value === value.normalize('NFC'), 'must be in Unicode normal form C')
  .refine(isGrantFolder, 'must be a folder, "" for all notes, or "/" for notes without a folder')
  .meta({
    description:
      'An exact path; its subfolders are included. `""`: all notes; `/`: only notes without a folder',
    example: 'projects/2026',
  });

const mode = z.enum(grantModes).meta({
  description: '`propose`: changes are proposals, which somebody else decides about',
});

const shape = {
  folder: grantFolder,
  scope: z.enum(grantScopes).meta({
    description:
      '`append` includes reading, new notes and adding to notes; `any` includes every change',
  }),
};

/** What a credential may do with the notes of one folder. */
export const noteGrant = z
  .object({ ...shape, mode })
  .meta({ id: 'NoteGrant', description: 'What may be done with the notes of a folder' });
export type NoteGrant = z.infer<typeof noteGrant>;

/** The grants of a credential; null: everything. */
export type HeldGrants = readonly NoteGrant[] | null;

/** Grants in a response. */
export const grantList = z
  .array(noteGrant)
  .nullable()
  .meta({ description: 'The folders whose notes it reaches; null: all notes' });

/** Grants as a list of their own, for a response. */
export const listGrants = (held: HeldGrants): NoteGrant[] | null => held && [...held];

/** Grants in a request body. */
export const requestedGrants = z
  .array(
    z
      .strictObject({ ...shape, mode: mode.default('direct') })
      .meta({ id: 'NoteGrantInput', description: 'What may be done with the notes of a folder' }),
  )
  .max(grantsMax)
  .refine(
    (list) => new TextEncoder().encode(JSON.stringify(list)).length <= grantsBytesMax,
    `must be at most ${grantsBytesMax} bytes as JSON`,
  )
  .meta({
    description: 'Limits it to the notes of these folders; null: all notes',
  });

/** Whether a grant of one folder includes that of another. */
const includesFolder = (outer: string, inner: string): boolean =>
  outer === '' || outer === inner || (outer !== withoutFolder && inner.startsWith(`${outer}/`));

/** Whether a grant reaches the notes in a folder. */
const reaches = (grant: NoteGrant, folder: string): boolean =>
  includesFolder(grant.folder, folder === '' ? withoutFolder : folder);

/** Whether notes in a folder are visible. */
export const canReadIn = (held: HeldGrants, folder: string): boolean =>
  held === null || held.some((grant) => reaches(grant, folder));

/** What a change needs: `append` keeps everything that is there. */
export type WriteScope = Exclude<NoteGrant['scope'], 'read'>;

/** How a change of notes in a folder is made: at once, or as a proposal; null: not at all. */
export const writeModeIn = (
  held: HeldGrants,
  folder: string,
  scope: WriteScope,
): NoteGrant['mode'] | null => {
  const modes = (held ?? [everything]).flatMap((grant) =>
    covers(grant.scope, scope) && reaches(grant, folder) ? [grant.mode] : [],
  );
  return modes.includes('direct') ? 'direct' : (modes[0] ?? null);
};

/** Whether some changes become proposals. */
export const mayPropose = (held: HeldGrants): boolean =>
  held !== null && held.some(({ mode }) => mode === 'propose');

const covers = (outer: NoteGrant['scope'], inner: NoteGrant['scope']): boolean =>
  grantScopes.indexOf(outer) >= grantScopes.indexOf(inner);

const allowsAll = ({ scope, mode }: NoteGrant): boolean => scope === 'any' && mode === 'direct';

/** Whether one grant allows everything that another does. */
const includes = (outer: NoteGrant, inner: NoteGrant): boolean =>
  includesFolder(outer.folder, inner.folder) &&
  covers(outer.scope, inner.scope) &&
  (inner.scope === 'read' || grantModes.indexOf(outer.mode) >= grantModes.indexOf(inner.mode));

/** The lesser of two grants where both reach; null: nowhere. */
const lesserOf = (one: NoteGrant, other: NoteGrant): NoteGrant | null => {
  const inner = [one, other].find(({ folder }) =>
    [one, other].every((each) => includesFolder(each.folder, folder)),
  );
  return inner
    ? {
        folder: inner.folder,
        scope: weakest(grantScopes, one.scope, other.scope),
        mode: weakest(grantModes, one.mode, other.mode),
      }
    : null;
};

const weakest = <Word extends string>(words: readonly Word[], one: Word, other: Word): Word =>
  words.indexOf(one) <= words.indexOf(other) ? one : other;

/**
 * The same grants without those that others include, in one order and form: lists that allow the same are equal. With
 * everything in it, a list is null: it costs as much as none.
 */
export const simplifyGrants = (grants: HeldGrants): HeldGrants => {
  if (grants === null) {
    return null;
  }
  const plain = grants.map((grant) =>
    grant.scope === 'read' ? { ...grant, mode: meaningless } : grant,
  );
  const kept = plain.filter(
    (grant, at) =>
      !plain.some((other, place) =>
        place === at ? false : includes(other, grant) && (!includes(grant, other) || place < at),
      ),
  );
  const isEverything = kept.some((grant) => grant.folder === '' && allowsAll(grant));
  return isEverything ? null : kept.toSorted(inOrder);
};

/** The mode of every grant to read, with which it means nothing. */
const meaningless: NoteGrant['mode'] = 'direct';

/** Neither of two kept grants of one folder includes the other, so their scopes differ. */
const inOrder = (one: NoteGrant, other: NoteGrant): number =>
  one.folder === other.folder
    ? grantScopes.indexOf(one.scope) - grantScopes.indexOf(other.scope)
    : one.folder < other.folder
      ? -1
      : 1;

/** What all of several credentials allow. */
export const intersectGrants = (...lists: readonly HeldGrants[]): HeldGrants =>
  lists.reduce<HeldGrants>((held, list) => {
    if (held === null || list === null) {
      return simplifyGrants(held ?? list);
    }
    return simplifyGrants(
      held.flatMap((one) => list.flatMap((other) => lesserOf(one, other) ?? [])),
    );
  }, null);

/** The first of some grants that others do not include; undefined: they include all. */
export const findGrantBeyond = (held: HeldGrants, grants: HeldGrants): NoteGrant | undefined =>
  held === null
    ? undefined
    : (grants ?? [everything]).find((grant) => !held.some((each) => includes(each, grant)));

/** Throws 403 for a grant beyond those of the caller: a request is never narrowed in silence. */
export const assertGrantsHeld = (held: HeldGrants, requested: HeldGrants): void => {
  const beyond = findGrantBeyond(held, requested);
  if (beyond) {
    const where = beyond.folder === '' ? 'all notes' : `the folder ${beyond.folder}`;
    throw new AppError(
      'folder_not_granted',
      `Beyond what it reaches: ${where} with the scope ${beyond.scope} and the mode ${beyond.mode}.`,
    );
  }
};

const everything: NoteGrant = { folder: '', scope: 'any', mode: 'direct' };

/**
 * What a transaction sees: one company, and of its notes those whose folder, followed by `/`, begins with one of `folders`;
 * null: all.
 */
export type Reach = {
  readonly companyId: CompanyId;
  readonly folders: readonly string[] | null;
};

/** The notes that grants make visible. */
export const reachOfGrants = (companyId: CompanyId, held: HeldGrants): Reach => ({
  companyId,
  folders: held && foldersOf(held),
});

/** Returns the prefixes, with a `/` behind them, of the folders whose notes may be changed directly and in every way. */
export const changeablePrefixes = (held: HeldGrants): string[] =>
  (held ?? [everything]).filter(allowsAll).map(({ folder }) => prefixOf(folder));

/** Null when nothing is hidden: a grant of everything may still not allow every change. */
const foldersOf = (held: readonly NoteGrant[]): string[] | null => {
  const folders = [...new Set(held.map(({ folder }) => folder))];
  return folders.includes('') ? null : folders.map(prefixOf);
};

/** With a `/` behind it, so that a folder is not a prefix of those that begin with its name. */
const prefixOf = (folder: string): string =>
  folder === '' || folder === withoutFolder ? folder : `${folder}/`;
