import { TextInput } from '@mantine/core';
import { useMoney } from './use-money.ts';

type LimitFieldsProps = {
  /** Behind the labels: whose budget it is. */
  readonly of?: string;
  /** What is said of the amount besides its currency. */
  readonly about?: string;
  readonly monthly: object;
  readonly tokens: object;
};

/** The limits of a budget: an amount of money, and a number of tokens. */
export const LimitFields = ({ of = '', about = '', monthly, tokens }: LimitFieldsProps) => {
  const { currency } = useMoney();
  return (
    <>
      <TextInput
        label={`Monthly budget${of}`}
        description={`In ${currency}${about}. Leave empty for no limit.`}
        inputMode="decimal"
        {...monthly}
      />
      <TextInput
        label={`Monthly tokens${of}`}
        description="Input and output tokens that runs report. Leave empty for no limit."
        inputMode="numeric"
        {...tokens}
      />
    </>
  );
};
