import { Alert, Button, Group, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useRef, useState } from 'react';
import { removeStored } from '../../../api/stored-drafts.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useWasAllowed } from '../../../app/session/use-was-allowed.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { discardStored } from '../editor/discard-draft.ts';
import { DraftNotice } from '../editor/draft-notice.tsx';
import { LeftDraft, readOnlyReason } from '../editor/left-draft.tsx';
import { DraftsOfTabs } from '../editor/left-drafts.tsx';
import { OpenElsewhere } from '../editor/open-elsewhere.tsx';
import { useDraftKey } from '../editor/use-draft-key.ts';
import { useDraftPlace, type DraftPlace } from '../editor/use-draft-place.ts';
import { ChoicesByChange } from './choices-by-change.tsx';
import {
  draftText,
  hasConflictDraft,
  readConflictDraft,
  textsOfDrafts,
  type ConflictDraft,
} from './conflict-draft.ts';
import {
  NewerCopyError,
  newerIn,
  useResolveConflict,
  type Choice,
  type Chosen,
} from './use-resolve-conflict.ts';
import type { WrittenHandle } from './use-written-text.ts';
import { separateTitle, type VersionNames } from './version-names.ts';
import { ChoicesOfOne, ChoicesOfTwo } from './whole-choices.tsx';

type Note = Schema<'NoteData'>;

type ConflictChoicesProps = {
  readonly copy: Note;
  /** Null: it was deleted. */
  readonly original: Note | null;
  readonly names: VersionNames;
};

/** The choice between the two versions, which goes on with the operator's draft if there is one. */
export const ConflictChoices = (props: ConflictChoicesProps) => {
  const key = useDraftKey({ kind: 'conflict', id: props.copy.id });
  const place = useDraftPlace(key, hasConflictDraft);
  return place && <PlacedChoices {...props} place={place} />;
};

type PlacedChoicesProps = ConflictChoicesProps & { readonly place: DraftPlace };

const PlacedChoices = ({ place, ...props }: PlacedChoicesProps) => {
  const [left] = useState(() => textsOfDrafts(place.left));
  const mayWrite = useWasAllowed('write');
  return (
    <>
      {mayWrite && place.isElsewhere && (
        <OpenElsewhere title="This conflict is open in another tab">
          Each tab keeps a draft of its own.
        </OpenElsewhere>
      )}
      <DraftsOfTabs drafts={left} />
      <ChoicesOrDraft {...props} mayWrite={mayWrite} draftKey={place.key} />
    </>
  );
};

type ChoicesOrDraftProps = ConflictChoicesProps & {
  readonly mayWrite: boolean;
  readonly draftKey: string;
};

const ChoicesOrDraft = ({ draftKey: key, ...props }: ChoicesOrDraftProps) => {
  const { copy, original, mayWrite } = props;
  const [draft, setDraft] = useState(() => readConflictDraft(key));
  // Once the operator has decided to go on with it, though its versions are no more the newest.
  const [isAccepted, setAccepted] = useState(
    draft?.note.revision === original?.revision && draft?.other === copy.content,
  );
  const discard = (): void => {
    discardStored(key);
    setDraft(null);
  };
  if (draft && (!mayWrite || (original === null && !isAccepted))) {
    return (
      <>
        <LeftDraft
          reason={mayWrite ? 'It belongs to the note that was deleted.' : readOnlyReason}
          text={draftText(draft)}
          onDiscard={discard}
        />
        <Choices {...props} mayWrite={mayWrite} draftKey={key} draft={null} onDiscard={discard} />
      </>
    );
  }
  // Only the note has a revision to save on: another text of the copy would be deleted unseen.
  if (draft && draft.other !== copy.content && !isAccepted) {
    return (
      <LeftDraft
        reason="The version that was not merged has changed since. Copy what you need, and discard the draft to choose again."
        text={draftText(draft)}
        onDiscard={discard}
      />
    );
  }
  return draft && !isAccepted ? (
    <EarlierDraft onGoOn={() => setAccepted(true)} onDiscard={discard} />
  ) : (
    <Choices
      key={draft ? 'draft' : 'new'}
      {...props}
      mayWrite={mayWrite}
      draftKey={key}
      draft={draft}
      onDiscard={discard}
    />
  );
};

type EarlierDraftProps = { readonly onGoOn: () => void; readonly onDiscard: () => void };

/** The draft was made of other versions: it replaces nothing by itself. */
const EarlierDraft = ({ onGoOn, onDiscard }: EarlierDraftProps) => (
  <Alert mb="md" color="orange" role="status" title="You have an unsaved draft of earlier versions">
    <Group justify="space-between">
      <span>
        Others have changed the note since. If you go on, you see the ones that you had; what others
        wrote is merged when you save, or shown to you first.
      </span>
      <Group gap="xs">
        <Button size="xs" onClick={onGoOn}>
          Go on with the draft
        </Button>
        <Button variant="default" size="xs" onClick={onDiscard}>
          Discard draft
        </Button>
      </Group>
    </Group>
  </Alert>
);

type ChoicesProps = ConflictChoicesProps & {
  /** Or might when the page was opened. */
  readonly mayWrite: boolean;
  readonly draftKey: string;
  readonly draft: ConflictDraft | null;
  readonly onDiscard: () => void;
};

/** The choice, and what becomes of the draft with it. */
const useChoosing = (props: ChoicesProps) => {
  const { draftKey } = props;
  const handle = useRef<WrittenHandle>(null);
  const { choose, base, failure } = useStartedChoice({
    ...props,
    onResolved: ({ before }, onGone) => {
      if (before && handle.current) {
        return handle.current.leave(before.written, onGone);
      }
      // The page was left, perhaps with a newer text, or the draft is beside choices that keep none.
      const isNewer =
        before !== null &&
        (readConflictDraft(draftKey)?.written ?? before.written) !== before.written;
      if (!isNewer) {
        removeStored(draftKey);
      }
      return isNewer;
    },
  });
  return {
    handle,
    base,
    failure,
    isPending: choose.isPending,
    onChoose: (choice: Choice): void => {
      const form = handle.current;
      choose.mutate({ choice, before: form && { written: form.read() } });
    },
  };
};

const Choices = (props: ChoicesProps) => {
  const { original, names, mayWrite, draftKey, draft, onDiscard } = props;
  const can = useCan();
  const { handle, base, failure, isPending, onChoose } = useChoosing(props);
  const discard = (): void => {
    handle.current?.forgetDraft();
    onDiscard();
  };
  if (base.note) {
    const { note, other } = base;
    return (
      <>
        <div role="status">{draft && <DraftNotice onDiscard={discard} />}</div>
        <ChoicesByChange
          current={note.content}
          other={other}
          names={names}
          isPending={isPending}
          failure={failure}
          isReadOnly={!can.write}
          {...(mayWrite && {
            draft: { key: draftKey, initial: draft, versions: { note, other }, ref: handle },
            onSave: (content: string) => onChoose({ content, base: note }),
          })}
        >
          {original === null ? (
            <ChoicesOfOne isPending={isPending} onChoose={onChoose} />
          ) : (
            <ChoicesOfTwo names={names} isPending={isPending} onChoose={onChoose} />
          )}
        </ChoicesByChange>
      </>
    );
  }
  return (
    mayWrite && (
      <Stack>
        {failure}
        <ChoicesOfOne isPending={isPending} onChoose={onChoose} />
      </Stack>
    )
  );
};

type StartOptions = Pick<ChoicesProps, 'copy' | 'original' | 'draft'> & {
  readonly onResolved: (chosen: Chosen, onGone: (isKept: boolean) => void) => boolean;
};

/** What is chosen from, and the newer versions after a choice that did not fit them. */
const useStartedChoice = ({ copy, original, draft, onResolved }: StartOptions) => {
  const actors = useActorNames();
  const title = separateTitle(actors, copy);
  // Newer versions must not replace what is being chosen or written. What does not fit one replaces it the next time, after
  // the operator has seen it.
  const [base, setBase] = useState({
    note: draft?.note ?? original,
    other: draft?.other ?? copy.content,
  });
  const choose = useResolveConflict({
    copy,
    original: original && base.note,
    other: base.other,
    separateTitle: title,
    onResolved,
    onNewer: (error) =>
      setBase(({ note, other }) => ({
        note: newerIn(error, note?.id) ?? note,
        other: error instanceof NewerCopyError ? error.content : other,
      })),
  });
  const { error } = choose;
  const isNewer = error instanceof NewerCopyError || newerIn(error, base.note?.id) !== undefined;
  const failure = choose.isError && (
    <ErrorAlert error={error} hint={isNewer ? newerHint : undefined} />
  );
  return { choose, base, failure };
};

const newerHint =
  'Someone else has changed a version. The newest version is above: choose again, or save your text to replace it.';
