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

/** Opens the dialog that pauses an agent and takes back what it wrote. Viewers have none. */
export const StopAndUndo = ({ what, size, ...undone }: StopAndUndoProps) => {
  const can = useCan();
  const verb = undone.isEnded === true ? 'Undo' : 'Stop and undo';
  if (!can.write) {
    return null;
  }
  const open = (): void => {
    const dialog = modals.open({
      title: `${verb} ${what}`,
      size: 'lg',
      children: <UndoDialog {...undone} onDone={() => modals.close(dialog)} />,
    });
  };
  return (
    <Button
      color="red"
      variant="outline"
      aria-label={`${verb} ${what}`}
      onClick={open}
      {...(size ? { size } : {})}
    >
      {verb}…
    </Button>
  );
};
