import { ProblemError } from '@commonplace/client';
import { useEffect, useEffectEvent } from 'react';
import { problemAtField, type FieldLabels } from './describe-problem.ts';
import { detailOf, ErrorAlert } from './error-alert.tsx';

type FormErrorProps = Omit<React.ComponentProps<typeof ErrorAlert>, 'onRetry'> & {
  readonly form: {
    readonly getValues: () => object;
    readonly setFieldError: (field: string, text: string) => void;
    readonly getInputNode: (field: string) => HTMLElement | null;
  };
  /** The field that an error is about as a whole, by its code. */
  readonly fieldOfCode?: Readonly<Record<string, string>>;
  /** Whether the operator goes on writing while it is saved: then the focus stays. */
  readonly keepsFocus?: boolean;
};

/**
 * Why a form was refused; null and undefined: it was not. What is wrong with a field stands at the field, too, and the first of
 * these fields gets the focus.
 */
export const FormError = ({ form, error, fieldOfCode, keepsFocus, ...props }: FormErrorProps) => {
  const show = useEffectEvent(() => {
    const fields = Object.keys(form.getValues());
    const wrong = error instanceof ProblemError ? wrongFields(error, fields, props.labels) : [];
    const whole = error instanceof ProblemError ? fieldOfCode?.[error.code] : undefined;
    if (whole !== undefined) {
      wrong.push({ field: whole, text: detailOf(error) });
    }
    for (const { field, text } of wrong) {
      form.setFieldError(field, text);
    }
    const first = fields.find((field) => wrong.some((each) => each.field === field));
    const field = first === undefined ? null : form.getInputNode(first);
    if (field && keepsFocus !== true && isFreeFor(field)) {
      field.focus();
    }
  });
  useEffect(() => show(), [error]);
  return error === null || error === undefined ? null : <ErrorAlert {...props} error={error} />;
};

/** Whether the operator has not gone on elsewhere meanwhile: nothing has the focus, or something of the same form. */
const isFreeFor = (field: HTMLElement): boolean => {
  const { activeElement: focused, body } = document;
  return focused === null || focused === body || field.closest('form')?.contains(focused) === true;
};

const wrongFields = (
  { errors }: ProblemError,
  fields: readonly string[],
  labels: FieldLabels | undefined,
) => errors.flatMap((problem) => problemAtField(problem, fields, labels) ?? []);
