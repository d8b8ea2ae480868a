import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useState } from 'react';
import { useTakeOver, type TakeOver } from '../on-demand/use-take-over.ts';

export type SelectInputProps = SelectProps & { readonly takeOver: TakeOver };

/**
 * The select behind a `SelectField`. Mantine mounts the list of every select and measures its position while the page
 * opens; here the list is mounted on focus. It has to exist before it opens, because the arrow keys need a selected
 * option.
 */
export const SelectInput = ({ takeOver, comboboxProps, onFocus, ...props }: SelectInputProps) => {
  const [wasFocused, setWasFocused] = useState(false);
  return (
    <Select
      {...props}
      ref={useTakeOver<HTMLInputElement>(takeOver)}
      comboboxProps={{ ...comboboxProps, keepMounted: wasFocused }}
      onFocus={(event) => {
        setWasFocused(true);
        onFocus?.(event);
      }}
    />
  );
};
