import type { Schema } from '@commonplace/client';
import type { Selection } from '../bulk/use-selection.ts';
import classes from './note-list.module.css';
import { titleText } from '../../../components/title-text.ts';

type NoteSelectBoxProps = {
  readonly note: Pick<Schema<'ListedNote'>, 'id' | 'title'>;
  readonly isSelected: boolean;
  readonly onToggle: Selection['toggle'];
};

/**
 * Selects a note. Shift selects all up to it, the arrow keys go to the next note (with Shift they select it), and
 * Enter goes to the actions.
 */
export const NoteSelectBox = ({ note, isSelected, onToggle }: NoteSelectBoxProps) => (
  <input
    type="checkbox"
    className={`mantine-focus-auto ${classes['box']}`}
    aria-label={`Select ${titleText(note.title)}`}
    data-note={note.id}
    checked={isSelected}
    // React calls onChange without the state of the Shift key.
    onChange={() => undefined}
    onClick={(event) => onToggle(note.id, event.shiftKey)}
    onKeyDown={(event) => {
      const { key, shiftKey, currentTarget } = event;
      if (key === 'Enter') {
        focusActions(event);
      } else if (key === 'ArrowDown' || key === 'ArrowUp') {
        event.preventDefault();
        const next = neighbourOf(currentTarget, key === 'ArrowDown' ? 1 : -1);
        next?.focus();
        if (next && shiftKey && isSelected && !next.checked) {
          onToggle(next.dataset['note'] ?? '', false);
        }
      }
    }}
  />
);

/** To the first of the actions: what selects more is none. The default action would press the button that gets the focus. */
export const focusActions = (event: React.KeyboardEvent): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>('.bulk-bar button:not([data-selects])')?.focus();
};

const neighbourOf = (box: HTMLInputElement, step: number): HTMLInputElement | undefined => {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[data-note]')];
  return boxes[boxes.indexOf(box) + step];
};
