import { Badge, Checkbox, Code, Group, Paper, Spoiler, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { NameLink } from '../../components/links.tsx';
import { newTab } from '../../components/new-tab.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { ActorNames } from '../../components/use-actor-names.ts';
import { UnifiedDiff } from '../notes/diff/unified-diff.tsx';
import { outcomeColours } from './outcomes.ts';
import { titleText } from '../../components/title-text.ts';

/** Long lines are read without scrolling, also on a phone. */
const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

type UndoneNoteRowProps = {
  readonly companyId: string;
  readonly note: Schema<'UndoneNote'>;
  /** What became of it. */
  readonly word: string;
  readonly nameOf: ActorNames['nameOf'];
  readonly isChosen?: boolean;
  /** Absent: the note is not to be chosen. */
  readonly onChoose?: (isChosen: boolean) => void;
};

/** A note of an undo: what became of it, the version it goes back to, what stays of the source, and the difference. */
export const UndoneNoteRow = (props: UndoneNoteRowProps) => {
  const { companyId, note, word, nameOf, isChosen, onChoose } = props;
  const { noteId, outcome, diff } = note;
  const title = titleText(note.title);
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {onChoose && (
              <Checkbox
                aria-label={`Undo in ${title}`}
                checked={isChosen ?? true}
                onChange={({ currentTarget: { checked } }) => onChoose(checked)}
              />
            )}
            <NameLink
              name={title}
              to="/companies/$companyId/notes/$noteId"
              params={{ companyId, noteId }}
              {...newTab}
            />
            {note.folder !== '' && (
              <Text size="sm" c="dimmed" truncate>
                {note.folder}
              </Text>
            )}
          </Group>
          <Badge variant="light" color={outcomeColours[outcome]} miw="max-content">
            {word}
          </Badge>
        </Group>
        <Base note={note} nameOf={nameOf} />
        <Remarks note={note} />
        {diff !== null && diff !== '' && (
          <Spoiler maxHeight={200} showLabel="Show all" hideLabel="Show less">
            <UnifiedDiff diff={diff} label={`Difference of ${title}`} />
          </Spoiler>
        )}
      </Stack>
    </Paper>
  );
};

/** The version to which the note goes back, or of one that stays as it is the version before. */
const Base = ({ note: { base, outcome }, nameOf }: Pick<UndoneNoteRowProps, 'note' | 'nameOf'>) => {
  if (!base) {
    return null;
  }
  const { revision, createdAt, createdBy, othersSince } = base;
  const isKept = outcome === 'kept';
  return (
    <Text size="sm">
      {isKept ? 'Before it was' : 'Back to'} revision {revision} by <bdi>{nameOf(createdBy)}</bdi>{' '}
      <RelativeTime at={createdAt} />
      {othersSince > 0 && !isKept && `; ${describeLater(othersSince)}`}.
    </Text>
  );
};

const describeLater = (count: number): string =>
  count === 1 ? '1 later version of others stays' : `${count} later versions of others stay`;

const Remarks = ({ note }: Pick<UndoneNoteRowProps, 'note'>) => {
  const { lines, fields, conflictCopies, conflictOf, detail } = note;
  const copies = conflictCopies.length;
  const remarks = [
    ...(detail === null ? [] : [detail]),
    ...(lines.length === 0 ? [] : ['These of its lines stay, because others built on them:']),
    ...(fields.length === 0 ? [] : [`Others changed since: ${fields.join(', ')}.`]),
    ...(copies === 0 ? [] : [`${copies} conflict ${copies === 1 ? 'copy' : 'copies'} came of it.`]),
    ...(conflictOf === null ? [] : ['It is a conflict copy.']),
  ];
  return (
    <>
      {remarks.map((remark) => (
        <Text key={remark} size="sm">
          {remark}
        </Text>
      ))}
      {lines.length > 0 && (
        <Code block style={wrapped}>
          {lines.join('\n')}
        </Code>
      )}
    </>
  );
};
