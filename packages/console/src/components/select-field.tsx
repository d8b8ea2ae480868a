import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A choice among some. Mantine keeps the list of each one in the document and measures its place anew while
 * the page opens, though nobody sees it: here it is made when the field is reached. It must be there before
 * it opens, or arrow keys find nothing to begin with.
 */
export const SelectField = ({ comboboxProps, onFocus, ...props }: SelectProps) => {
  const [wasReached, setWasReached] = useState(false);
  return (
    <Select
      {...props}
      comboboxProps={{ ...comboboxProps, keepMounted: wasReached }}
      onFocus={(event) => {
        setWasReached(true);
        onFocus?.(event);
      }}
    />
  );
};
