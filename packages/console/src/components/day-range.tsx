import { DayField } from './day-field.tsx';

type DayRangeProps = {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
};

/** The first and the last day of what a list shows. */
export const DayRange = ({ from, to, onChange }: DayRangeProps) => (
  <>
    <DayField label="From" day={from} onChange={(day) => onChange({ from: day })} />
    <DayField label="Until" day={to} from={from} onChange={(day) => onChange({ to: day })} />
  </>
);
