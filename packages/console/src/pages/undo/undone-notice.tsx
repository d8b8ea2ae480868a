import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { recordedUndosQuery, undoQuery, type RecordedUndo } from '../../api/undo-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { countNotes } from '../../components/count-notes.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { countsOf } from './outcomes.ts';
import { UndoButton } from './undo-button.tsx';

type UndoneNoticeProps = {
  readonly companyId: string;
  /** The run, key, connection or agent. */
  readonly entityId: string;
  /** What was undone, as in "what Ada wrote". */
  readonly what: string;
};

/**
 * Who last undid what something wrote and in how many notes, and the way to the notes and to take
 * that back; nothing where nobody did.
 */
export const UndoneNotice = ({ companyId, entityId, what }: UndoneNoticeProps) => {
  const { data: undos = [] } = useQuery(recordedUndosQuery(companyId));
  const last = undos.find((undo) => undo.entityId === entityId);
  if (last === undefined) {
    return null;
  }
  const reverted = undos.find(({ undone }) => undone === last.undoId);
  return (
    <Group gap="xs">
      <Text size="sm">
        Undone <InHowMany companyId={companyId} undoId={last.undoId} />
        <ByWhom undo={last} />
        {reverted && (
          <>
            , taken back <ByWhom undo={reverted} />
          </>
        )}
      </Text>
      <UndoButton
        companyId={companyId}
        undoId={last.undoId}
        what={what}
        isTakenBack={reverted !== undefined}
      />
    </Group>
  );
};

/** In how many notes, since notes can be left out; nothing before it is finished, and for viewers, who read no undos. */
const InHowMany = ({
  companyId,
  undoId,
}: Pick<UndoneNoticeProps, 'companyId'> & Pick<RecordedUndo, 'undoId'>) => {
  const can = useCan();
  const { data: undo } = useQuery({ ...undoQuery(companyId, undoId), enabled: can.write });
  return undo?.finishedAt ? `in ${countNotes(countsOf(undo.outcomes).changed)} ` : null;
};

const ByWhom = ({ undo: { by, at } }: { readonly undo: RecordedUndo }) => (
  <>
    by {by} <RelativeTime at={at} />
  </>
);
