const onSubmit = ({ target: form }: Event): void => {
  const { activeElement: before } = document;
  // After the form was validated, and shows what is wrong.
  setTimeout(() => {
    const isWaiting = document.activeElement === before && before?.ariaInvalid !== 'true';
    if (isWaiting && form instanceof HTMLFormElement && form.contains(before)) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  });
};

/**
 * A form with an invalid field is not sent: the field says why, but a screen reader says nothing unless the field gets the
 * focus. The browser does so with what it validates itself.
 */
export const focusInvalidFields = (): void => {
  window.addEventListener('submit', onSubmit, { capture: true });
};
