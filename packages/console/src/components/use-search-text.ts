import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

export type SearchText = {
  /** The value in the address. */
  readonly value: string | undefined;
  /** Called with undefined if the field is empty. */
  readonly onChange: (value: string | undefined) => void;
};

const debounceMs = 250;

/**
 * The text of a field for a parameter of the address. The address is updated shortly after the last key. If it
 * changes for another reason (a link, Back, another company), the field follows.
 */
export const useSearchText = ({ value = '', onChange }: SearchText) => {
  const [text, setText] = useState(value);
  const [previous, setPrevious] = useState(value);
  const [emitted, setEmitted] = useState(value);
  const change = useDebouncedCallback((typed: string) => {
    setEmitted(typed);
    onChange(typed === '' ? undefined : typed);
  }, debounceMs);
  if (value !== previous) {
    setPrevious(value);
    if (value !== emitted) {
      setEmitted(value);
      setText(value);
    }
  }
  return {
    text,
    type: (typed: string): void => {
      setText(typed);
      change(typed);
    },
  };
};
