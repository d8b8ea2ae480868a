import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { singleKeyOf } from '../../../app/palette/single-key-of.ts';
import { useIsAtOwnPage } from '../../../components/use-is-at.ts';

/**
 * In a list of notes `j` and `k` go to the next and the previous one, `x` selects it, `e` edits it, and Backspace or Delete
 * deletes what is selected, or else this one. Escape ends the selection. Once another page is on its way they do nothing: what is
 * typed is meant for that one.
 */
export const useRowKeys = (
  onDelete: (noteId: string | null) => void,
  onEscape: () => void,
): void => {
  const companyId = useCompanyId();
  const navigate = useNavigate();
  const remove = useEffectEvent(onDelete);
  const end = useEffectEvent(onEscape);
  const isHere = useEffectEvent(useIsAtOwnPage());
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const key = isHere() ? singleKeyOf(event) : null;
      const row = document.activeElement?.closest<HTMLElement>('tr[data-row-note]') ?? null;
      if (isDeletion(key, event)) {
        event.preventDefault();
        remove(row?.dataset['rowNote'] ?? null);
      } else if (key === 'j' || key === 'k') {
        event.preventDefault();
        focusRow(row, key === 'j' ? 1 : -1);
      } else if (key === 'Escape') {
        end();
      } else if (key === 'x') {
        const box = row?.querySelector<HTMLElement>('input[data-note]');
        box?.click();
        // Its keys extend the selection, and lead to what is done with it.
        box?.focus();
      } else if (key === 'e' && row) {
        const noteId = row.dataset['rowNote'] ?? '';
        void navigate({
          to: '/companies/$companyId/notes/$noteId/edit',
          params: { companyId, noteId },
        });
      }
    };
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [companyId, navigate]);
};

/** Shift with Delete cuts, and a key that is held down is pressed once. */
const isDeletion = (key: string | null, { shiftKey, repeat }: KeyboardEvent): boolean =>
  (key === 'Backspace' || key === 'Delete') && !shiftKey && !repeat;

/** The note of the row after that of a note, or else of the one before; null: there is none. */
export const neighbourOf = (noteId: string): string | null => {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row-note]')];
  const index = rows.findIndex((row) => row.dataset['rowNote'] === noteId);
  return (rows[index + 1] ?? rows[index - 1])?.dataset['rowNote'] ?? null;
};

/** Focuses the title of a note. */
export const focusNote = (noteId: string): void =>
  document.querySelector<HTMLElement>(`tr[data-row-note="${noteId}"] a[data-title]`)?.focus();

/** Focuses the title beside that of a row; without a row, the first one. */
const focusRow = (row: HTMLElement | null, step: number): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row-note]')];
  const next = row ? rows[rows.indexOf(row) + step] : rows[0];
  next?.querySelector<HTMLElement>('a[data-title]')?.focus();
};
