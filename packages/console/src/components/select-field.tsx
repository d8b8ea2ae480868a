import { InputBase } from '@mantine/core';
import type { InputBaseProps, SelectProps } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { onDemand } from '../on-demand/on-demand.ts';
import { openByKey, useStandIn } from '../on-demand/use-stand-in.ts';
import type { SelectInputProps } from './select-input.tsx';

const select = onDemand<SelectInputProps>(
  async () => (await import('./select-input.tsx')).SelectInput,
);

/** A select. Its list, and the code that positions it, is loaded when it is about to be used. */
export const SelectField = (props: SelectProps) => {
  const { Control, takeOver, standIn, open } = useStandIn<SelectInputProps, HTMLInputElement>(
    select,
  );
  return Control ? (
    <Control rightSection={<Chevron />} {...props} takeOver={takeOver} />
  ) : (
    <InputBase
      rightSection={<Chevron />}
      {...lookOf(props)}
      {...standIn}
      readOnly
      pointer
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      rightSectionPointerEvents="none"
      onKeyDown={openByKey(open)}
    />
  );
};

const Chevron = () => <IconSelector size={15} stroke={1.6} aria-hidden />;

/** What a closed select displays. */
const lookOf = ({
  data = [],
  value,
  comboboxProps: _comboboxProps,
  allowDeselect: _allowDeselect,
  searchable: _searchable,
  nothingFoundMessage: _nothingFoundMessage,
  onChange: _onChange,
  ...look
}: SelectProps): InputBaseProps & { readonly value: string } => ({
  ...(look as InputBaseProps),
  value: labelOf(data, value ?? null),
});

const labelOf = (data: NonNullable<SelectProps['data']>, value: string | null): string => {
  for (const item of data) {
    if (item === value) {
      return value;
    }
    if (typeof item === 'object' && 'value' in item && item.value === value) {
      return item.label;
    }
  }
  return '';
};
