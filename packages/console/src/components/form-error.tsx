import { ProblemError } from '@commonplace/client';
import { useEffect, useEffectEvent } from 'react';
import { problemAtField } from './describe-problem.ts';
import { ErrorAlert } from './error-alert.tsx';

type FormErrorProps = Omit<React.ComponentProps<typeof ErrorAlert>, 'onRetry'> & {
  readonly form: {
    readonly getValues: () => object;
    readonly setFieldError: (field: string, text: string) => void;
  };
};

/** Why a form was refused; null and undefined: it was not. What is wrong with a field stands at the field, too. */
export const FormError = ({ form, error, ...props }: FormErrorProps) => {
  const show = useEffectEvent(() => {
    const fields = Object.keys(form.getValues());
    for (const problem of error instanceof ProblemError ? error.errors : []) {
      const found = problemAtField(problem, fields, props.labels);
      if (found) {
        form.setFieldError(found.field, found.text);
      }
    }
  });
  useEffect(() => show(), [error]);
  return error === null || error === undefined ? null : <ErrorAlert {...props} error={error} />;
};
