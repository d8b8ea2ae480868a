import { Alert, Button, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useImperativeHandle, useState, type Ref } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import { useWorkerResult } from '../../../app/workers/use-worker-result.ts';
import { explainNoResult } from '../../../app/workers/worker-error.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { confirm } from '../../../components/confirm.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { ChoicesByChange } from '../conflict/choices-by-change.tsx';
import type { VersionNames } from '../conflict/version-names.ts';
import { combineInWorker } from '../diff/combine-in-worker.ts';
import type { Chosen } from '../conflict/use-choices.ts';
import { NotKept } from './not-kept.tsx';
import type { Draft, DraftChoices } from './drafts.ts';
import type { EditBase } from './use-draft-start.ts';
import { useDraft, type DraftHandle } from './use-draft.ts';
import { changedFields, textOf, type NoteText } from '../note-text.ts';

type Note = Schema<'NoteData'>;

type EditConflictProps = {
  /** The revision both sides edited. */
  readonly base: EditBase;
  readonly theirs: Note;
  /** Their version with what the operator changed. */
  readonly mine: NoteText;
  /** The error of the last attempt to save, if any. */
  readonly error: unknown;
  readonly isPending: boolean;
  /** Where the operator's text is kept meanwhile with the choices, and what they begin with. */
  readonly draft: ConflictDraftOptions;
  readonly onSave: (content: string) => void;
  readonly onTakeTheirs: () => void;
  readonly onEditOn: (content: string) => void;
  readonly ref: Ref<DraftHandle>;
};

type ConflictDraftOptions = {
  readonly key: string;
  /** What the operator wrote. */
  readonly text: NoteText;
  readonly chosen: DraftChoices | null;
};

/**
 * Another writer saved first: a choice for each change of the same place, as on the page of a conflict. Everything else of both
 * is kept; if the texts differ too much to find that, there is a choice for each difference.
 */
export const EditConflict = (props: EditConflictProps) => {
  const { base, theirs, mine, error, isPending, draft, onSave, onTakeTheirs, onEditOn } = props;
  const names = useNames(theirs);
  const { output: combined, isPending: isCombining, ...combining } = useCombined(props);
  const confirmTheirs = (): void =>
    confirm({
      title: 'Discard your changes?',
      text: 'The editor goes on with the saved version, without anything that you changed.',
      confirm: 'Discard changes',
      onConfirm: onTakeTheirs,
    });
  const [current, other] = combined
    ? [combined.ours, combined.theirs]
    : [theirs.content, mine.content];
  const { isKept, onChange } = useConflictDraft(props, { current, other });
  return (
    <>
      <NotKept isKept={isKept} />
      <Alert color="orange" role="alert" title="Someone else saved this note first" mb="md">
        Revision {theirs.revision} was saved by <ActorName actor={theirs.updatedBy} />{' '}
        <RelativeTime at={theirs.updatedAt} />. Your changes are not saved yet.
        {combined && current !== other && ` ${onlyOverlaps}`}
        <ChangedFields base={base} theirs={theirs} mine={mine} />
      </Alert>
      <NotCombined {...combining} />
      {isCombining ? (
        <SectionSkeleton height={200} />
      ) : (
        <ChoicesByChange
          current={current}
          other={other}
          names={names}
          isPending={isPending}
          failure={error !== null && error !== undefined && <ErrorAlert error={error} />}
          onSave={onSave}
          onWrite={onEditOn}
          kept={{ initial: draft.chosen, onChange }}
        >
          <Button variant="default" loading={isPending} onClick={() => onSave(other)}>
            Keep {names.other}
          </Button>
          <Button variant="default" disabled={isPending} onClick={confirmTheirs}>
            Keep {names.current}…
          </Button>
        </ChoicesByChange>
      )}
    </>
  );
};

type NotCombinedProps = Pick<ReturnType<typeof useCombined>, 'error' | 'retry'>;

/** Why the two texts were not combined, if they may be by another attempt. */
const NotCombined = ({ error, retry }: NotCombinedProps) =>
  error && (
    <ErrorAlert error={error} onRetry={retry} hint={eachDifference}>
      {explainNoResult(error, 'The two texts could not be combined')}
    </ErrorAlert>
  );

/** Keeps the operator's text and the choices in this browser until one of them is saved, and guards them. */
const useConflictDraft = (
  { base, draft: { key, text, chosen }, ref }: EditConflictProps,
  of: DraftChoices['of'],
) => {
  const [work, setWork] = useState<Chosen | null>(null);
  const { keep, forget, isKept } = useDraft({
    draftKey: key,
    isChanged: true,
    watched: [work, base],
    read: (): Draft => ({
      baseRevision: base.revision,
      base: textOf(base),
      text,
      savedAt: new Date().toISOString(),
      ...chosenIn(of, work, chosen),
    }),
  });
  useLeaveGuard(() => true, { keep, discard: forget });
  useImperativeHandle(ref, () => ({ forgetDraft: forget }));
  return { isKept, onChange: setWork };
};

/** Until the two texts are compared, what the draft had. */
const chosenIn = (
  of: DraftChoices['of'],
  work: Chosen | null,
  before: DraftChoices | null,
): Pick<Draft, 'chosen'> => {
  if (work === null) {
    return before ? { chosen: before } : {};
  }
  const { choices, earlier } = work;
  return earlier !== null || choices.some((choice) => choice !== undefined)
    ? { chosen: { of, choices: choices.map((choice) => choice ?? null), earlier } }
    : {};
};

const eachDifference = 'Until they are, choose for each difference of the two texts.';

const onlyOverlaps =
  'Choose what to keep where both changed the same place. All other changes of both are kept.';

const useCombined = ({ base, theirs, mine }: EditConflictProps) =>
  useWorkerResult(
    useCallback(
      (signal: AbortSignal) =>
        combineInWorker({
          input: { base: base.content, ours: theirs.content, theirs: mine.content },
          signal,
        }),
      [base.content, theirs.content, mine.content],
    ),
  );

const useNames = ({ updatedBy }: Note): VersionNames => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { nameOf } = useActorNames();
  const isOwn = updatedBy.id === session.operator.id;
  return {
    current: isOwn ? 'the saved version' : `${nameOf(updatedBy)}’s version`,
    other: 'your version',
  };
};

/** What they changed besides the text, and where that is replaced. */
const ChangedFields = ({
  base,
  theirs,
  mine,
}: Pick<EditConflictProps, 'base' | 'theirs' | 'mine'>) => {
  const fields = changedFields(textOf(base), textOf(theirs)).filter((field) => field !== 'content');
  const replaced = (['title', 'folder'] as const).filter(
    (field) => fields.includes(field) && mine[field] !== theirs[field],
  );
  return (
    <>
      {fields.length > 0 && <Text size="sm">Also changed: {fields.join(', ')}.</Text>}
      {replaced.map((field) => (
        <Text key={field} size="sm">
          You both changed the {field}: yours, “{mine[field]}”, replaces “{theirs[field]}”.
        </Text>
      ))}
    </>
  );
};
