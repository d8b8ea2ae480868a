import { Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DayRange } from '../../api/usage-queries.ts';
import { DayField } from '../../components/day-field.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { ranges, type RangeSearch } from './ranges.ts';

type RangePickerProps = { readonly search: RangeSearch; readonly days: DayRange };

const unset = 'Last 30 days';

/** Chooses the days of the charts; the choice is in the address. */
export const RangePicker = ({ search, days }: RangePickerProps) => {
  const navigate = useNavigate();
  const change = (next: RangeSearch): void => {
    void navigate({ to: '.', search: next, replace: true });
  };
  const choose = (value: string | null): void => {
    const range = ranges.find((each) => each.value === value)?.value;
    change(range === 'custom' ? { range, ...days } : { range });
  };
  return (
    <Group align="end" gap="md">
      <FilterSelect
        label="Range"
        unset={unset}
        data={ranges.filter(({ label }) => label !== unset)}
        value={search.range}
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
      <Text size="sm" c="dimmed" pb={8}>
        {days.from} to {days.to}, UTC days as in budgets
      </Text>
    </Group>
  );
};
