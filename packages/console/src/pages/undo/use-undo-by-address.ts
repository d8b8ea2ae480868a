import { useEffect, useEffectEvent, useRef } from 'react';
import { isId } from '../../components/is-id.ts';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { openStopAndUndo, type StopAndUndoProps } from './stop-and-undo.tsx';

type ByAddress = {
  /** What the address says: the id of the undo that was begun, or that the dialog is open. */
  readonly undo: string | undefined;
  readonly mayOpen: boolean;
  readonly undone: Omit<StopAndUndoProps, 'size' | 'onOpen'>;
};

const notBegun = 'new';

/**
 * Returns what opens the dialog of an undo. While it is open the address says so: the dialog is there again after a reload, with the
 * undo that was begun.
 */
export const useUndoByAddress = ({ undo, mayOpen, undone }: ByAddress): (() => void) => {
  const change = useChangeSearch();
  // On its own page only: a navigation that closed the dialog goes on.
  const say = (id: string | undefined): void => change({ undo: id });
  const isOpen = useRef(false);
  const open = (undoId: string | null): void => {
    isOpen.current = true;
    openStopAndUndo({
      ...undone,
      undoId,
      onStart: say,
      onClose: () => {
        isOpen.current = false;
        say(undefined);
      },
    });
  };
  const openAgain = useEffectEvent((wanted: string) => {
    if (mayOpen && !isOpen.current) {
      open(isId(wanted) ? wanted : null);
    }
  });
  useEffect(() => {
    if (undo !== undefined) {
      openAgain(undo);
    }
  }, [undo]);
  return () => {
    open(null);
    say(notBegun);
  };
};
