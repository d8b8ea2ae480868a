/** By then a form that was refused shows why. */
const renderedMs = 100;

/**
 * A form with an invalid field is not sent: the field says why, but a screen reader says nothing unless the field gets the
 * focus. The browser does so with what it validates itself.
 */
export const focusInvalidFields = (): void => {
  window.addEventListener(
    'submit',
    ({ target }) => {
      setTimeout(() => {
        const { activeElement } = document;
        if (target instanceof HTMLFormElement && target.contains(activeElement)) {
          target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
        }
      }, renderedMs);
    },
    { capture: true },
  );
};
