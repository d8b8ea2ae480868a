import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useEffect } from 'react';
import { useTakeOver, type TakeOver } from '../../../on-demand/use-take-over.ts';

export type TagInputProps = AutocompleteProps & { readonly takeOver: TakeOver };

/** The list has more space than the field. */
const listPx = 220;

/** The field behind a `TagFilter`, with the tags in use that begin with its text. */
export const TagInput = ({ takeOver, ...props }: TagInputProps) => {
  const field = useTakeOver<HTMLInputElement>(takeOver);
  // Where one went on typing, which the stand-in got so far.
  useEffect(() => {
    const { current } = field;
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [field]);
  return (
    <Autocomplete
      {...props}
      ref={field}
      openOnFocus={false}
      defaultDropdownOpened={takeOver.hasFocus && takeOver.event === null && props.value !== ''}
      comboboxProps={{ width: listPx, position: 'bottom-start', keepMounted: false }}
    />
  );
};
