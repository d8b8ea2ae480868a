import { Button } from '@mantine/core';
import { useCan } from '../../app/session/use-can.ts';
import { modals } from '../../components/modals.ts';
import { UndoProgress } from './undo-progress.tsx';

type UndoButtonProps = {
  readonly companyId: string;
  readonly undoId: string;
  /** What was undone, as in "what Ada wrote". */
  readonly what: string;
  /** Also as long as that is not known. */
  readonly isTakenBack: boolean;
};

/** Opens an undo: the notes, and the way to take it back. Viewers have none. */
export const UndoButton = ({ isTakenBack, ...undo }: UndoButtonProps) => {
  const can = useCan();
  const verb = isTakenBack ? 'Show' : 'Take back';
  return (
    can.write && (
      <Button
        size="xs"
        variant="default"
        aria-label={`${verb} the undo of ${undo.what}`}
        onClick={() => openUndo(undo)}
      >
        {verb}…
      </Button>
    )
  );
};

const openUndo = ({ companyId, undoId, what }: Omit<UndoButtonProps, 'isTakenBack'>): void => {
  const dialog = modals.open({
    title: `The undo of ${what}`,
    size: 'lg',
    children: (
      <UndoProgress companyId={companyId} undoId={undoId} onDone={() => modals.close(dialog)} />
    ),
  });
};
