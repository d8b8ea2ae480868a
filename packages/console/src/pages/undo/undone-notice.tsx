import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { recordedUndosQuery, type RecordedUndo } from '../../api/undo-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { modals } from '../../components/modals.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { UndoProgress } from './undo-progress.tsx';

type UndoneNoticeProps = {
  readonly companyId: string;
  /** The run, key, connection or agent. */
  readonly entityId: string;
  /** What was undone, as in "what Ada wrote". */
  readonly what: string;
};

/**
 * Who last undid what something wrote, and the way to the notes and to take that back; nothing
 * where nobody did.
 */
export const UndoneNotice = ({ companyId, entityId, what }: UndoneNoticeProps) => {
  const { data: undos = [] } = useQuery(recordedUndosQuery(companyId));
  const can = useCan();
  const last = undos.find((undo) => undo.entityId === entityId);
  if (last === undefined) {
    return null;
  }
  const reverted = undos.find(({ undone }) => undone === last.undoId);
  return (
    <Group gap="xs">
      <Text size="sm">
        Undone <ByWhom undo={last} />
        {reverted && (
          <>
            , taken back <ByWhom undo={reverted} />
          </>
        )}
      </Text>
      {can.write && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${reverted ? 'Show' : 'Take back'} the undo of ${what}`}
          onClick={() => openUndo({ companyId, undoId: last.undoId, what })}
        >
          {reverted ? 'Show' : 'Take back'}…
        </Button>
      )}
    </Group>
  );
};

const ByWhom = ({ undo: { by, at } }: { readonly undo: RecordedUndo }) => (
  <>
    by {by} <RelativeTime at={at} />
  </>
);

type Opened = Omit<UndoneNoticeProps, 'entityId'> & { readonly undoId: string };

const openUndo = ({ companyId, undoId, what }: Opened): void => {
  const dialog = modals.open({
    title: `The undo of ${what}`,
    size: 'lg',
    children: (
      <UndoProgress companyId={companyId} undoId={undoId} onDone={() => modals.close(dialog)} />
    ),
  });
};
