import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

type SearchFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  /** The value in the address. */
  readonly value: string | undefined;
  /** Called with undefined if the field is empty. */
  readonly onChange: (value: string | undefined) => void;
};

const debounceMs = 250;

/**
 * A text field for a parameter of the address. The address is updated shortly after the last key. If it
 * changes for another reason (a link, Back, another company), the field follows.
 */
export const SearchField = ({ value = '', onChange, ...props }: SearchFieldProps) => {
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
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        change(event.currentTarget.value);
      }}
    />
  );
};
