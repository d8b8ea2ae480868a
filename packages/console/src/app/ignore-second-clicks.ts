const isOnButton = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('.mantine-Button-root') !== null;

const ignore = (event: Event, isSecond: boolean): void => {
  if (isSecond && isOnButton(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
};

/**
 * A double click on a button is one click, and Enter that is held down is one press: the second would do the same again, or
 * what another button does that has come to stand there. A button is busy only once its request has begun, and a confirmation
 * stays while it closes.
 */
export const ignoreSecondClicks = (): void => {
  // Before the listeners of React, which are below the window.
  const inTime = { capture: true };
  window.addEventListener('click', (event) => ignore(event, event.detail > 1), inTime);
  window.addEventListener(
    'keydown',
    (event) => ignore(event, event.repeat && event.key === 'Enter'),
    inTime,
  );
};
