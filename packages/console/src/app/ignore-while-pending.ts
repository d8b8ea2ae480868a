import type { Mutation, MutationCache } from '@tanstack/react-query';

/**
 * A form that is sent cannot be sent again before the response. It is locked by then, but only once that is rendered: on a slow
 * device Enter may be pressed twice before, and two of what it makes would be made.
 */
export const ignoreSecondSubmits = (changes: MutationCache): void => {
  const sent = new WeakMap<EventTarget, Mutation>();
  let begun: Mutation | null = null;
  changes.subscribe((event) => {
    if (event.type === 'added') {
      begun = event.mutation;
    }
  });
  // Before the listeners of React, which are below the window.
  const before = (event: Event): void => {
    begun = null;
    if (event.target && sent.get(event.target)?.state.status === 'pending') {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const after = ({ target }: Event): void => {
    if (target && begun) {
      sent.set(target, begun);
    }
  };
  window.addEventListener('submit', before, { capture: true });
  window.addEventListener('submit', after);
};
