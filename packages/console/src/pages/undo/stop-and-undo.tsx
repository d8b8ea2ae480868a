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
  readonly size?: 'xs';
};

/** Opens the dialog that pauses an agent and takes back what it wrote. Viewers have none. */
export const StopAndUndo = ({ what, size, ...undone }: StopAndUndoProps) => {
  const can = useCan();
  if (!can.write) {
    return null;
  }
  const open = (): void => {
    const dialog = modals.open({
      title: `Stop and undo ${what}`,
      size: 'lg',
      children: <UndoDialog {...undone} onDone={() => modals.close(dialog)} />,
    });
  };
  return (
    <Button
      color="red"
      variant="outline"
      aria-label={`Stop and undo ${what}`}
      onClick={open}
      {...(size ? { size } : {})}
    >
      Stop and undo…
    </Button>
  );
};
