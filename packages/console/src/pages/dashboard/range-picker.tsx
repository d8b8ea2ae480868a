import { Group, Text } from '@mantine/core';
import type { DayRange } from '../../api/usage-queries.ts';
import { DayField } from '../../components/day-field.tsx';
import { daysText } from '../../components/day-labels.ts';
import { SelectField } from '../../components/select-field.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { ranges, usualRange, type RangeSearch } from './ranges.ts';

type RangePickerProps = { readonly search: RangeSearch; readonly days: DayRange };

/** Chooses the days of the charts; the choice is in the address. */
export const RangePicker = ({ search, days }: RangePickerProps) => {
  const changeSearch = useChangeSearch();
  const change = (next: RangeSearch): void =>
    changeSearch({ range: undefined, from: undefined, to: undefined, ...next });
  const choose = (value: string | null): void => {
    const range = ranges.find((each) => each.value === value)?.value;
    change(
      range === 'custom' ? { range, ...days } : { range: range === usualRange ? undefined : range },
    );
  };
  return (
    <Group align="end" gap="md">
      <SelectField
        label="Range"
        data={[...ranges]}
        value={search.range ?? usualRange}
        allowDeselect={false}
        w={170}
        onChange={choose}
      />
      {search.range === 'custom' && (
        <>
          <DayField
            label="From"
            day={days.from}
            onChange={(from) => change({ ...search, ...days, from })}
          />
          <DayField
            label="To"
            day={days.to}
            onChange={(to) => change({ ...search, ...days, to })}
          />
        </>
      )}
      <Text size="sm" c="dimmed" pb={8} role="status">
        {daysText(days.from, days.to)}, UTC days as in budgets
      </Text>
    </Group>
  );
};
