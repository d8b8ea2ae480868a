import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { singleKeyOf } from '../../../app/palette/single-key-of.ts';

/** In a list of notes `j` and `k` go to the next and the previous one, `x` selects it, and `e` edits it. */
export const useRowKeys = (): void => {
  const companyId = useCompanyId();
  const navigate = useNavigate();
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const key = singleKeyOf(event);
      const row = document.activeElement?.closest<HTMLElement>('tr[data-row-note]') ?? null;
      if (key === 'j' || key === 'k') {
        event.preventDefault();
        focusRow(row, key === 'j' ? 1 : -1);
      } else if (key === 'x') {
        row?.querySelector<HTMLElement>('input[data-note]')?.click();
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

/** Focuses the title beside that of a row; without a row, the first one. */
const focusRow = (row: HTMLElement | null, step: number): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row-note]')];
  const next = row ? rows[rows.indexOf(row) + step] : rows[0];
  next?.querySelector<HTMLElement>('a[data-title]')?.focus();
};
