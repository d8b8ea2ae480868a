import type { Schema } from '@commonplace/client';

type Changes = Schema<'NoteChanges'>;

/** What an edit changed, a line each. */
export const describeChanges = (changed: Changes | undefined): string[] =>
  changed === undefined
    ? []
    : [
        ...(changed.lines ?? []).map(
          ({ line, added, removed }) => `line ${line}: +${added} -${removed}`,
        ),
        ...(changed.since ? describeSince(changed.since) : []),
        ...(changed.linksUpdated ? [`links changed in ${notes(changed.linksUpdated.length)}`] : []),
        ...(changed.linksNotUpdated
          ? [`links by the old title are left in ${changed.linksNotUpdated.join(', ')}`]
          : []),
      ];

const describeSince = (since: NonNullable<Changes['since']>): string[] => {
  const { revisions, hasMore, linesAdded, linesRemoved } = since;
  if (revisions.length === 0) {
    return ['not changed since you read it'];
  }
  const size = linesAdded === null ? '' : ` (+${linesAdded} -${linesRemoved ?? 0} lines)`;
  return [
    `changed since you read it${size}:`,
    ...revisions.map(
      ({ revision, at, author }) => `  revision ${revision} at ${at} by ${nameOf(author)}`,
    ),
    ...(hasMore ? ['  and earlier ones'] : []),
  ];
};

const nameOf = ({ kind, id, name }: NonNullable<Changes['since']>['revisions'][number]['author']) =>
  name ?? `${kind} ${id}`;

const notes = (count: number): string => (count === 1 ? '1 note' : `${count} notes`);
