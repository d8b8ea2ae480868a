import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A select. Mantine mounts the list of every select and measures its position while the page opens; here the
 * list is mounted on focus. It has to exist before it opens, because the arrow keys need a selected option.
 */
export const SelectField = ({ comboboxProps, onFocus, ...props }: SelectProps) => {
  const [wasFocused, setWasFocused] = useState(false);
  return (
    <Select
      {...props}
      comboboxProps={{ ...comboboxProps, keepMounted: wasFocused }}
      onFocus={(event) => {
        setWasFocused(true);
        onFocus?.(event);
      }}
    />
  );
};
