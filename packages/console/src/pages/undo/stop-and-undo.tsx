import { Button } from '@mantine/core';
import type { UndoSource } from '../../api/undo-queries.ts';
import { modals } from '../../components/modals.ts';
import { useCan } from '../../app/session/use-can.ts';
import { UndoDialog } from './undo-dialog.tsx';

export type StopAndUndoProps = {
  readonly companyId: string;
  /** The agent that wrote. */
  readonly agentId: string;
  readonly source: UndoSource;
  /** What is undone, as in "what Ada wrote". */
  readonly what: string;
  /** Whether the source has ended: there is nothing to stop. */
  readonly isEnded?: boolean;
  readonly size?: 'xs';
  /** Opens the dialog in place of the button. */
  readonly onOpen?: () => void;
};

type OpenedUndo = Omit<StopAndUndoProps, 'size' | 'onOpen'> & {
  /** An undo that was begun already; null: none. */
  readonly undoId?: string | null;
  /** Called with the id of the undo when it begins. */
  readonly onStart?: (undoId: string) => void;
  readonly onClose?: () => void;
};

/** Opens the dialog that pauses an agent and takes back what it wrote. */
export const openStopAndUndo = ({ what, onClose, ...undone }: OpenedUndo): void => {
  const dialog = modals.open({
    title: `${verbOf(undone)} ${what}`,
    size: 'lg',
    children: <UndoDialog {...undone} onDone={() => modals.close(dialog)} />,
    ...(onClose && { onClose }),
  });
};

const verbOf = ({ isEnded = false }: Pick<StopAndUndoProps, 'isEnded'>): string =>
  isEnded ? 'Undo' : 'Stop and undo';

/** Opens the dialog that pauses an agent and takes back what it wrote. Viewers have none. */
export const StopAndUndo = ({ size, onOpen, ...undone }: StopAndUndoProps) => {
  const can = useCan();
  const verb = verbOf(undone);
  if (!can.write) {
    return null;
  }
  return (
    <Button
      color="red"
      variant="outline"
      aria-label={`${verb} ${undone.what}`}
      onClick={onOpen ?? (() => openStopAndUndo(undone))}
      {...(size ? { size } : {})}
    >
      {verb}…
    </Button>
  );
};
