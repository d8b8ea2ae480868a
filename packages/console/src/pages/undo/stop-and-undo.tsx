import { Button } from '@mantine/core';
import type { UndoSource } from '../../api/undo-queries.ts';
import { modals } from '../../components/modals.ts';
import { useCan } from '../../app/session/use-can.ts';
import { UndoDialog } from './undo-dialog.tsx';

type StopAndUndoProps = {
  readonly companyId: string;
  /** The agent that wrote. */
  readonly agentId: string;
  readonly source: UndoSource;
  /** What is undone, as in "what Ada wrote". */
  readonly what: string;
  /** Whether the source has ended: there is nothing to stop. */
  readonly isEnded?: boolean;
  readonly size?: 'xs';
};

/** Opens the dialog that pauses an agent and takes back what it wrote. */
export const openStopAndUndo = ({ what, ...undone }: Omit<StopAndUndoProps, 'size'>): void => {
  const dialog = modals.open({
    title: `${verbOf(undone)} ${what}`,
    size: 'lg',
    children: <UndoDialog {...undone} onDone={() => modals.close(dialog)} />,
  });
};

const verbOf = ({ isEnded = false }: Pick<StopAndUndoProps, 'isEnded'>): string =>
  isEnded ? 'Undo' : 'Stop and undo';

/** Opens the dialog that pauses an agent and takes back what it wrote. Viewers have none. */
export const StopAndUndo = ({ size, ...undone }: StopAndUndoProps) => {
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
      onClick={() => openStopAndUndo(undone)}
      {...(size ? { size } : {})}
    >
      {verb}…
    </Button>
  );
};
