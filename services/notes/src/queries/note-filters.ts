import type { CompanyId } from '@commonplace/contracts/core';
import type { SqlValue } from '@commonplace/db';

/** What a list of notes leaves out. */
export type NoteFilters = {
  /** The ids of the notes that have every one of `tag`, unless they are many. */
  readonly taggedIds: readonly string[] | null;
  readonly tag: readonly string[];
  readonly folder?: string | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly author?: string | undefined;
  readonly conflicts?: 'only' | undefined;
  readonly deleted: 'exclude' | 'only' | 'include';
  readonly updatedSince?: string | undefined;
};

/** Puts a value behind the statement and gives its `$n`. */
export type Bind = (value: SqlValue) => string;

/** Collects the values of a statement that is put together from parts. */
export const binder = (): { readonly bind: Bind; readonly values: readonly SqlValue[] } => {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  return { bind, values };
};

/**
 * The conditions of a list on notes called `n`. Only those asked for are in the statement, so that
 * the planner sees what it can use an index for.
 */
export const noteConditions = (companyId: CompanyId, filters: NoteFilters, bind: Bind): string =>
  [
    `n.company_id = ${bind(companyId)}`,
    ...deletedCondition[filters.deleted],
    ...tagCondition(filters, bind),
    ...given(filters.folder || undefined, (folder) => folderCondition(folder, bind)),
    ...given(filters.pinned, (isPinned) => `n.pinned = ${isPinned}`),
    ...given(filters.archived, (isArchived) => `n.archived = ${isArchived}`),
    ...given(filters.author, (id) => `n.updated_by_id = ${bind(id)}`),
    ...given(filters.conflicts, () => 'n.conflict_of is not null'),
    ...given(filters.updatedSince, (since) => `n.updated_at >= ${bind(since)}`),
  ].join(' and ');

/** A tag that few notes have leads to them; one that many have is met soon on the way through all. */
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

/** What is below a folder lies, in byte order, between its name with `/` and with `0`, the next byte. */
const folderCondition = (folder: string, bind: Bind): string => {
  const column = 'n.folder collate "C"';
  return `(${column} = ${bind(folder)}
    or (${column} >= ${bind(`${folder}/`)} and ${column} < ${bind(`${folder}0`)}))`;
};
