import type { SelectProps } from '@mantine/core';
import { SelectField } from './select-field.tsx';

type Choice = NonNullable<SelectProps['data']>[number];

type FilterSelectProps = Pick<
  SelectProps,
  'label' | 'aria-label' | 'size' | 'searchable' | 'disabled' | 'w' | 'maw' | 'my' | 'hiddenFrom'
> & {
  /** The label of the first option, which stands for no selection: "All", "No one". */
  readonly unset: string;
  readonly data: readonly Choice[];
  readonly value?: string | null | undefined;
  /** Called with null for the first option. */
  readonly onChange: (value: string | null) => void;
};

/**
 * A select in which one option always applies. The option for no selection is a value, not a placeholder:
 * placeholders are faint and suggest that something is missing.
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
