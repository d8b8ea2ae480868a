import type { SelectProps } from '@mantine/core';
import { SelectField } from './select-field.tsx';

type Choice = NonNullable<SelectProps['data']>[number];

type FilterSelectProps = Pick<
  SelectProps,
  'label' | 'searchable' | 'disabled' | 'w' | 'maw' | 'my' | 'hiddenFrom'
> & {
  /** What is in effect while nothing is chosen, as the first choice: "All", "Nobody". */
  readonly unset: string;
  readonly data: readonly Choice[];
  readonly value?: string | null | undefined;
  /** Null: nothing is chosen any more. */
  readonly onChange: (value: string | null) => void;
};

/**
 * A choice of which one is always in effect. The one that stands for no choice is a value like the
 * others, not a placeholder: placeholders are faint and mean that something is missing.
 */
export const FilterSelect = ({ unset, data, value, onChange, ...props }: FilterSelectProps) => (
  <SelectField
    {...props}
    data={[{ value: '', label: unset }, ...data]}
    value={value ?? ''}
    allowDeselect={false}
    onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
  />
);
