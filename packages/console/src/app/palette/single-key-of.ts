import { singleKeyShortcuts } from './single-key-shortcuts.ts';

/**
 * The character of a shortcut of a single key; null: the key is typed into a field, a menu or a dialog, or they are switched off,
 * as Escape never is.
 */
export const singleKeyOf = (event: KeyboardEvent): string | null => {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
  const isPlain = !ctrlKey && !metaKey && !altKey && !defaultPrevented;
  const isOn = key === 'Escape' || singleKeyShortcuts.areOn();
  return isPlain && isOn && !isField(target) && !isDialogOpen() ? key : null;
};

/** The second key of a shortcut comes within this time. */
export const sequenceMs = 1_500;

/** A dialog has keys of its own. */
export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** What Escape closed is still around the element that had the focus. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches(
      'input:not([type="checkbox"]), textarea, select, [role="combobox"], :is([role="menu"], [role="dialog"]) *',
    ));
