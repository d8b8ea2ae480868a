import { TextInput } from '@mantine/core';
import { useState } from 'react';

type DayFieldProps = {
  readonly label: string;
  readonly day: string | undefined;
  /** The first day of the range that this one ends. */
  readonly from?: string | undefined;
  /** Called with undefined if the field is empty. */
  readonly onChange: (day: string | undefined) => void;
};

/** A date field of the browser. While a date is being typed, the last complete one applies. */
export const DayField = ({ label, day = '', from = '', onChange }: DayFieldProps) => {
  const [text, setText] = useState(day);
  const [previous, setPrevious] = useState(day);
  if (day !== previous) {
    setPrevious(day);
    setText(day);
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      error={text !== '' && text < from && 'This is before the first day.'}
      min="1970-01-01"
      max="9999-12-31"
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (value === '' || value >= '1970') {
          setPrevious(value);
          onChange(value === '' ? undefined : value);
        }
      }}
    />
  );
};
