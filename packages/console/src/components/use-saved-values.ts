import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';

/** Brings what is saved into a form as it changes, except where the operator has changed a field and not saved it. */
export const useSavedValues = <Values extends Readonly<Record<string, unknown>>>(
  form: UseFormReturnType<Values>,
  saved: Values,
): void => {
  const bringIn = useEffectEvent(() => {
    const changed = Object.keys(saved).filter((field) => form.isDirty(field));
    const kept = Object.fromEntries(
      Object.entries(form.getValues()).filter(([field]) => changed.includes(field)),
    );
    form.setInitialValues(saved);
    form.resetDirty(saved);
    form.setValues({ ...saved, ...kept });
  });
  const version = JSON.stringify(saved);
  useEffect(() => bringIn(), [version]);
};
