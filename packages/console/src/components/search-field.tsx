import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

type SearchFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  /** What the address says. */
  readonly value: string | undefined;
  /** Undefined: nothing is looked for. */
  readonly onChange: (value: string | undefined) => void;
};

const typingMs = 250;

/**
 * A text of the address that can be typed. The address follows a moment after the last key, and when it
 * changes for another reason (a link, Back, another company) the text follows it.
 */
export const SearchField = ({ value = '', onChange, ...props }: SearchFieldProps) => {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [said, setSaid] = useState(value);
  const change = useDebouncedCallback((typed: string) => {
    setSaid(typed);
    onChange(typed === '' ? undefined : typed);
  }, typingMs);
  if (value !== seen) {
    setSeen(value);
    if (value !== said) {
      setSaid(value);
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
