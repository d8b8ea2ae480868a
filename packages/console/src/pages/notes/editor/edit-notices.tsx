import { Alert, Button, Group } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { ActorName } from '../../../components/actor-name.tsx';
import { DraftNotice } from './draft-notice.tsx';

type Note = Schema<'NoteData'>;

type EditNoticesProps = {
  readonly draftAt: string | null;
  /** The newer version that the text includes now. */
  readonly merged: Note | null;
  /** The newer version that does not fit the text. */
  readonly clash: Note | null;
  readonly onDiscard: () => void;
  readonly onCompare: (newer: Note) => void;
};

/** What happened to the text besides the operator's own typing. */
export const EditNotices = (props: EditNoticesProps) => {
  const { draftAt, merged, clash, onDiscard, onCompare } = props;
  return (
    <div role="status">
      {draftAt !== null && <DraftNotice onDiscard={onDiscard} />}
      {clash && (
        <Alert mb="md" color="orange" title="Someone else changed the same lines">
          <Group justify="space-between">
            <span>
              <ActorName actor={clash.updatedBy} /> saved revision {clash.revision}. When you save,
              you choose which to keep.
            </span>
            <Button variant="default" size="xs" onClick={() => onCompare(clash)}>
              Compare
            </Button>
          </Group>
        </Alert>
      )}
      {merged && !clash && (
        <Alert mb="md" color="teal" title="Changes of someone else were added">
          <ActorName actor={merged.updatedBy} /> saved revision {merged.revision}, which your text
          now includes.
        </Alert>
      )}
    </div>
  );
};
