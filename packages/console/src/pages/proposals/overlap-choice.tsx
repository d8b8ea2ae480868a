import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import type { Combined } from '@commonplace/merge';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { LineDiff } from '../notes/line-diff.tsx';
import { combineInWorker } from './combine-in-worker.ts';
import { FieldChanges } from './proposal-changes.tsx';
import type { Comparison } from './use-comparison.ts';

type Overlapping = Extract<Comparison, { readonly kind: 'overlap' }>;

type OverlapChoiceProps = {
  readonly proposal: Schema<'ProposalDetail'>;
  readonly current: Schema<'NoteData'>;
  readonly comparison: Overlapping;
  readonly mayDecide: boolean;
  readonly isPending: boolean;
  /** Accepts a text. */
  readonly onAccept: (content: string) => void;
  /** Opens the editor with a text. */
  readonly onEdit: (content: string) => void;
};

const shownMax = 20;

/** Others changed the same lines as a proposal: shows exactly those, and the ways to accept it nevertheless. */
export const OverlapChoice = (props: OverlapChoiceProps) => {
  const { proposal, current, comparison, mayDecide } = props;
  const { base, after } = comparison;
  const { data: combined } = useQuery({
    queryKey: [...keys.proposal(proposal.companyId, proposal.id), 'combined', current.revision],
    queryFn: ({ signal }) =>
      base === null
        ? null
        : combineInWorker({
            input: { base: base.content, ours: current.content, theirs: after.content },
            signal,
          }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (combined === undefined) {
    return <SectionSkeleton height={200} />;
  }
  return (
    <Stack gap="sm">
      <Alert color="orange" title="Others changed the same since" role="status">
        {base === null
          ? 'The version that this changes is no longer stored. Below is how it differs from the note as it is now.'
          : 'Nothing is lost: choose whose lines stay. Everything else of both is kept.'}
      </Alert>
      {base !== null && <FieldChanges before={base} after={after} />}
      {combined && combined.overlaps.length > 0 ? (
        <Overlaps overlaps={combined.overlaps} />
      ) : (
        <LineDiff
          before={current.content}
          after={combined?.theirs ?? after.content}
          label="Differences"
        />
      )}
      {mayDecide && <Choices {...props} combined={combined} />}
    </Stack>
  );
};

/** They have no identity besides their place. */
const Overlaps = ({ overlaps }: Pick<Combined, 'overlaps'>) =>
  overlaps.slice(0, shownMax).map(({ ours, theirs }, index) => (
    <Stack key={index} gap={4}>
      <Title order={3} size="h4">
        {overlaps.length === 1 ? 'The overlap' : `Overlap ${index + 1} of ${overlaps.length}`}
      </Title>
      <Text size="sm" c="dimmed">
        − as the note is now, + as it is proposed
      </Text>
      <LineDiff
        before={withLineFeed(ours)}
        after={withLineFeed(theirs)}
        label={`Overlap ${index + 1}`}
      />
    </Stack>
  ));

const withLineFeed = (text: string): string => (text === '' ? '' : `${text}\n`);

type ChoicesProps = OverlapChoiceProps & { readonly combined: Combined | null };

const Choices = ({ comparison, combined, isPending, onAccept, onEdit }: ChoicesProps) => {
  const proposed = combined?.theirs ?? comparison.after.content;
  return (
    <Group gap="xs">
      <Button variant="default" loading={isPending} onClick={() => onAccept(proposed)}>
        Accept with the proposed lines
      </Button>
      {combined && combined.overlaps.length > 0 && (
        <Button variant="default" loading={isPending} onClick={() => onAccept(combined.ours)}>
          Accept, but keep the present lines
        </Button>
      )}
      <Button
        variant="default"
        disabled={isPending}
        onClick={() => onEdit(combined?.both ?? proposed)}
      >
        Edit both…
      </Button>
    </Group>
  );
};
