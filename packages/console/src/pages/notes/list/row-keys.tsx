import type { Schema } from '@commonplace/client';
import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { modals } from '../../../components/modals.ts';
import { useDeleteNote } from '../read/use-delete-note.tsx';
import { focusNote, neighbourOf, useRowKeys } from './use-row-keys.ts';

type RowKeysProps = {
  /** Those that are loaded. */
  readonly notes: readonly Schema<'ListedNote'>[];
  /** Some notes are selected. */
  readonly isAnyChosen: boolean;
  readonly mayDelete: boolean;
  readonly onClear: () => void;
};

/**
 * The keys of a list of notes. Backspace and Delete do what the buttons do: that of the selected notes, or else that of the page
 * of a note. Says what failed, in sight, because one has scrolled far.
 */
export const RowKeys = ({ notes, isAnyChosen, mayDelete, onClear }: RowKeysProps) => {
  const { confirmDelete, error, refused } = useDeleteNote();
  const keepFocus = useKeptFocus(notes);
  useRowKeys((noteId) => {
    const note = notes.find(({ id }) => id === noteId);
    if (isAnyChosen) {
      // Not there while another change of notes runs.
      document.querySelector<HTMLElement>('.bulk-bar [data-delete]')?.click();
    } else if (note && mayDelete) {
      confirmDelete(note, () => keepFocus(note.id));
    }
  }, onClear);
  return (
    error && (
      <Box className="sticky-notice">
        <ErrorAlert error={error} hint={refused ?? undefined} />
      </Box>
    )
  );
};

/** Returns what is called before a note is deleted: once it has left the list, the focus goes on to its neighbour. */
const useKeptFocus = (notes: RowKeysProps['notes']) => {
  const leaving = useRef<{ readonly noteId: string; readonly neighbourId: string } | null>(null);
  useEffect(() => {
    const left = leaving.current;
    if (left !== null && !notes.some(({ id }) => id === left.noteId)) {
      leaving.current = null;
      // The dialog returns the focus to the row, which may be gone by then.
      if (isFocusLost(left.noteId) && modals.current() === null) {
        focusNote(left.neighbourId);
      }
    }
  }, [notes]);
  return (noteId: string): void => {
    const neighbourId = neighbourOf(noteId);
    leaving.current = neighbourId === null ? null : { noteId, neighbourId };
  };
};

/** Nothing has the focus, or what goes: the dialog, or the row of the note. */
const isFocusLost = (noteId: string): boolean => {
  const focused = document.activeElement;
  const isGoing = focused?.closest(`[role="dialog"], tr[data-row-note="${noteId}"]`) ?? null;
  return focused === document.body || isGoing !== null;
};
