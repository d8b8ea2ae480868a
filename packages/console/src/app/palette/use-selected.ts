import { useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PaletteItem } from './palette-item.ts';

type Matches = {
  readonly text: string;
  readonly items: readonly PaletteItem[];
  /** Matches of the text are still on their way; those of an earlier one may be listed. */
  readonly isSearching: boolean;
};

/**
 * What Enter opens: the first match, or what the arrow keys led to, also after others came before it. Enter that is pressed before
 * the matches of the text are known opens the first of them once they are, and not what an earlier text has found.
 */
export const useSelected = ({ text, items, isSearching }: Matches) => {
  const combobox = useCombobox({ opened: true });
  const list = useRef<HTMLDivElement>(null);
  const [chosenFor, setChosenFor] = useState<string | null>(null);
  const isChosen = chosenFor === text;
  const [firstId, setFirstId] = useState<string | null>(null);
  const select = useEffectEvent(() => {
    const chosen = isChosen ? indexOfSelected(list.current) : -1;
    if (chosen === -1) {
      setChosenFor(null);
      setFirstId(combobox.selectFirstOption());
    } else {
      combobox.selectOption(chosen);
    }
  });
  const shown = items.map(({ href }) => href).join(' ');
  useEffect(() => select(), [text, shown]);
  const { enter, cancel } = useEnterOnceFound({ text, isSearching }, combobox.clickSelectedOption);
  return {
    combobox,
    list,
    firstId: isChosen ? null : firstId,
    keyHandlers: {
      onKeyDownCapture: (event: React.KeyboardEvent): void => {
        // With an input method, Enter ends the word that is composed.
        if (event.key === 'Enter' && isSearching && !isChosen && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          enter();
        }
      },
      onKeyDown: ({ key }: React.KeyboardEvent): void => {
        if (key === 'ArrowDown' || key === 'ArrowUp') {
          setChosenFor(text);
          cancel();
        }
      },
    },
  };
};

const indexOfSelected = (list: Element | null): number =>
  [...(list?.querySelectorAll('[data-combobox-option]') ?? [])].findIndex((option) =>
    option.hasAttribute('data-combobox-selected'),
  );

/** What opens the first match once it is known, unless something else is typed or looked at by then. */
const useEnterOnceFound = (
  { text, isSearching }: Omit<Matches, 'items'>,
  open: () => void,
): { readonly enter: () => void; readonly cancel: () => void } => {
  const [entered, setEntered] = useState<string | null>(null);
  const openFound = useEffectEvent(open);
  useEffect(() => {
    if (entered !== null && (entered !== text || !isSearching)) {
      setEntered(null);
      if (entered === text) {
        openFound();
      }
    }
  }, [entered, text, isSearching]);
  return { enter: () => setEntered(text), cancel: () => setEntered(null) };
};
