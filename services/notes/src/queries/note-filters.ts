import type { CompanyId } from '@commonplace/contracts/core';
import type { SqlValue } from '@commonplace/db';

/** The filters of a list of notes. */
export type NoteFilters = {
  /** What the caller sees, as `Reach`; absent or null: all. */
  readonly granted?: readonly string[] | null;
  /** The ids of the notes with all tags of `tag`; null: no tags, or too many notes. */
  readonly taggedIds: readonly string[] | null;
  readonly tag: readonly string[];
  readonly folder?: string | undefined;
  /** One of these folders or below; empty or absent: any. */
  readonly folders?: readonly string[] | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly author?: string | undefined;
  readonly conflicts?: 'only' | 'exclude' | undefined;
  readonly deleted: 'exclude' | 'only' | 'include';
  readonly updatedSince?: string | undefined;
  readonly updatedUntil?: string | undefined;
};

/** Whether notes are left out by more than that they are deleted. */
export const isFiltered = ({
  granted = null,
  tag,
  folder,
  folders = [],
  pinned,
  archived,
  author,
  conflicts,
  deleted,
  updatedSince,
  updatedUntil,
}: NoteFilters): boolean =>
  granted !== null ||
  tag.length + folders.length > 0 ||
  Boolean(folder) ||
  deleted === 'only' ||
  [pinned, archived, author, conflicts, updatedSince, updatedUntil].some(
    (filter) => filter !== undefined,
  );

/** Adds a parameter and returns its `$n`. */
export type Bind = (value: SqlValue) => string;

/** Collects the parameters of a composed statement. */
export const binder = (): { readonly bind: Bind; readonly values: readonly SqlValue[] } => {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  return { bind, values };
};

/**
 * The conditions of a list on notes `n`. Contains only the requested filters, so that the planner can choose an
 * index.
 */
export const noteConditions = (companyId: CompanyId, filters: NoteFilters, bind: Bind): string => {
  const company = bind(companyId);
  return [
    `n.company_id = ${company}`,
    ...given(filters.granted ?? undefined, (granted) => grantedCondition(granted, bind)),
    ...deletedCondition[filters.deleted],
    ...tagCondition(filters, bind),
    ...given(filters.folder || undefined, (folder) => folderCondition(folder, bind)),
    ...foldersCondition(filters.folders ?? [], bind),
    ...given(filters.pinned, (isPinned) => `n.pinned = ${isPinned}`),
    ...given(filters.archived, (isArchived) => `n.archived = ${isArchived}`),
    ...given(filters.author, (id) => `n.updated_by_id = ${bind(id)}`),
    ...given(filters.conflicts, (conflicts) => conflictCondition[conflicts](company)),
    ...given(filters.updatedSince, (since) => `n.updated_at >= ${bind(since)}`),
    ...given(filters.updatedUntil, (until) => `n.updated_at <= ${bind(until)}`),
  ].join(' and ');
};

/** A copy is left out where its note is seen. */
const conflictCondition = {
  only: () => 'n.conflict_of is not null',
  // An array and an order: the note is looked up by its key, whatever the statistics say.
  exclude: (company: string) => `(n.conflict_of is null or (
    select o.deleted_at is null from notes.notes o
    where o.company_id = ${company} and o.id = any (array[n.conflict_of])
    order by o.id
    limit 1) is not true)`,
} as const;

/** Rare tags use key lookups; frequent ones a condition on the scan, which soon finds enough notes. */
const tagCondition = ({ tag, taggedIds }: NoteFilters, bind: Bind): string[] => {
  if (taggedIds) {
    return [`n.id = any (${bind(taggedIds)}::uuid[])`];
  }
  return tag.length > 0 ? [`n.tags @> ${bind(tag)}::text[]`] : [];
};

const deletedCondition = {
  exclude: ['n.deleted_at is null'],
  only: ['n.deleted_at is not null'],
  include: [],
} as const;

const given = <Value>(value: Value | undefined, condition: (value: Value) => string): string[] =>
  value === undefined ? [] : [condition(value)];

/** As the policy of the table, which holds in any case, and written so that plans are those of all notes. */
const grantedCondition = (granted: readonly string[], bind: Bind): string =>
  `(case when (n.folder || '/') ^@ any (${bind(granted)}::text[]) then true end) is not null`;

const foldersCondition = (folders: readonly string[], bind: Bind): string[] =>
  folders.length === 0 || folders.includes('')
    ? []
    : [`(${folders.map((folder) => folderCondition(folder, bind)).join(' or ')})`];

/** Subfolders are, in byte order, between the name followed by `/` and by `0`, the next byte. */
const folderCondition = (folder: string, bind: Bind): string => {
  const column = 'n.folder collate "C"';
  return `(${column} = ${bind(folder)}
    or (${column} >= ${bind(`${folder}/`)} and ${column} < ${bind(`${folder}0`)}))`;
};
