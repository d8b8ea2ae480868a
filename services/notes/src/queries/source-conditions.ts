import type { UndoSource } from '@commonplace/contracts/notes';
import type { Bind } from './note-filters.ts';

/** The columns of what a source wrote: its credential or author, and when it first and last did. */
type SourceColumns = Readonly<
  Record<'runId' | 'keyId' | 'connectionId' | 'agentId' | 'firstAt' | 'lastAt', string>
>;

const names = ['runId', 'keyId', 'connectionId', 'agentId'] as const;

/** Whether a source is a credential or an agent, and no undo. */
export const isWriter = (source: UndoSource): boolean =>
  names.some((name) => source[name] !== undefined);

/** The conditions of what a credential or an agent wrote, since and until a time. */
export const sourceConditions = (
  source: UndoSource,
  columns: SourceColumns,
  bind: Bind,
): string[] => [
  ...names.flatMap((name) =>
    source[name] === undefined ? [] : [`${columns[name]} = ${bind(source[name])}::uuid`],
  ),
  ...(source.since === undefined
    ? []
    : [`${columns.lastAt} >= ${bind(source.since)}::timestamptz`]),
  ...(source.until === undefined
    ? []
    : [`${columns.firstAt} < ${bind(source.until)}::timestamptz`]),
];
