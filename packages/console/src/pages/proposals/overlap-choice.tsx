import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import type { Combined } from '@commonplace/merge';
import { explainNoResult } from '../../app/workers/worker-error.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { LineDiff } from '../notes/diff/line-diff.tsx';
import { FieldChanges } from './proposal-changes.tsx';
import classes from './proposals.module.css';
import type { Combining } from './use-combined.ts';
import type { Comparison } from './use-comparison.ts';
import { waysToAcceptId } from './ways-to-accept.ts';

type Overlapping = Extract<Comparison, { readonly kind: 'overlap' }>;

type OverlapChoiceProps = {
  readonly current: Schema<'NoteData'>;
  readonly comparison: Overlapping;
  readonly combining: Combining;
  readonly mayDecide: boolean;
  readonly isPending: boolean;
  /** Accepts a text that was made from the note as it is now. */
  readonly onAccept: (content: string) => void;
  /** Accepts the proposed text; the server merges it, or refuses. */
  readonly onMerge: () => void;
  /** Opens the editor with a text, which may lack what others have written since. */
  readonly onEdit: (start: { readonly text: string; readonly isReplacing: boolean }) => void;
};

const shownMax = 20;

/** Others changed the same lines as a proposal: shows exactly those, and the ways to accept it nevertheless. */
export const OverlapChoice = (props: OverlapChoiceProps) => {
  const { current, comparison, combining, mayDecide } = props;
  const { combined, error, retry } = combining;
  const { base, after } = comparison;
  if (combined === undefined) {
    return <SectionSkeleton height={200} />;
  }
  const kind = kindOf(base, combined);
  return (
    <Stack gap="sm">
      {error ? (
        <ErrorAlert error={error} onRetry={retry} hint={mayBeLost}>
          {explainNoResult(error, titles.unknown)}
        </ErrorAlert>
      ) : (
        <Alert color="orange" title={titles[kind]} role="status">
          {texts[kind]}
        </Alert>
      )}
      {base !== null && <FieldChanges before={base} after={after} />}
      {combined && combined.overlaps.length > 0 ? (
        <Overlaps overlaps={combined.overlaps} />
      ) : (
        <LineDiff
          before={current.content}
          after={combined?.theirs ?? after.content}
          label="Differences"
          isWrapped
        />
      )}
      {mayDecide && <Choices {...props} combined={combined} />}
    </Stack>
  );
};

/**
 * What is known of the overlap: its lines; that there is none in the text; that the texts could not be compared here, because they
 * differ too much or there was no result; or that the version between them could not be read.
 */
type Kind = 'lines' | 'fields' | 'unknown' | 'withoutBase';

const kindOf = (base: Overlapping['base'], combined: Combined | null): Kind => {
  if (base === null) {
    return 'withoutBase';
  }
  if (combined === null) {
    return 'unknown';
  }
  return combined.overlaps.length > 0 ? 'lines' : 'fields';
};

const titles: Readonly<Record<Kind, string>> = {
  lines: 'Others have changed the same lines since',
  fields: 'The note has changed since',
  unknown: 'The note has changed since, and the texts could not be compared',
  withoutBase: 'The note has changed since, and the texts could not be compared',
};

const mayBeLost =
  'The server may still be able to merge them; if others changed the same lines, it refuses, and nothing changes. Replacing the note, or editing the proposed text, discards what others have written since: the lines marked − below.';

const texts: Readonly<Record<Kind, string>> = {
  lines: 'Nothing is lost: choose whose lines to keep. All other changes of both sides are kept.',
  fields:
    'The texts do not overlap, so both are kept. Where both changed the title or the folder, the proposed one is accepted.',
  unknown: `They differ too much. ${mayBeLost}`,
  withoutBase: `The version that this proposal is based on could not be read; it may no longer be stored. ${mayBeLost}`,
};

/** Overlaps have no identity besides their position. */
const Overlaps = ({ overlaps }: Pick<Combined, 'overlaps'>) =>
  overlaps.slice(0, shownMax).map(({ ours, theirs }, index) => (
    <Stack key={index} gap={4}>
      <Title order={3} size="h4">
        {overlaps.length === 1 ? 'The overlap' : `Overlap ${index + 1} of ${overlaps.length}`}
      </Title>
      <Text size="sm" c="dimmed">
        − the note as it is now, + the proposal
      </Text>
      <LineDiff
        before={withLineFeed(ours)}
        after={withLineFeed(theirs)}
        label={`Overlap ${index + 1}`}
        isWrapped
      />
    </Stack>
  ));

const withLineFeed = (text: string): string => (text === '' ? '' : `${text}\n`);

type ChoicesProps = Omit<OverlapChoiceProps, 'combining'> & { readonly combined: Combined | null };

const Choices = (props: ChoicesProps) => {
  const { combined, isPending, onAccept, onEdit } = props;
  if (combined === null) {
    return <Replacing {...props} />;
  }
  return (
    <Group gap="xs" id={waysToAcceptId} className={classes['ways'] ?? ''}>
      <Button variant="default" loading={isPending} onClick={() => onAccept(combined.theirs)}>
        {combined.overlaps.length > 0 ? 'Accept with the proposed lines' : 'Accept the proposal'}
      </Button>
      {combined.overlaps.length > 0 && (
        <Button variant="default" loading={isPending} onClick={() => onAccept(combined.ours)}>
          Accept, but keep the current lines
        </Button>
      )}
      <Button
        variant="default"
        disabled={isPending}
        onClick={() => onEdit({ text: combined.both, isReplacing: false })}
      >
        Edit both…
      </Button>
    </Group>
  );
};

/** What the server merges comes first: that takes back nothing. */
const Replacing = ({ comparison, isPending, onAccept, onMerge, onEdit }: ChoicesProps) => {
  const { content } = comparison.after;
  return (
    <Group gap="xs" id={waysToAcceptId} className={classes['ways'] ?? ''}>
      <Button loading={isPending} onClick={onMerge}>
        Accept if the server can merge it
      </Button>
      <Button variant="outline" color="red" loading={isPending} onClick={() => onAccept(content)}>
        Replace the note with the proposed text
      </Button>
      <Button
        variant="default"
        disabled={isPending}
        onClick={() => onEdit({ text: content, isReplacing: true })}
      >
        Edit the proposed text…
      </Button>
    </Group>
  );
};
