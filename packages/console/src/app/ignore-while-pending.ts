import type { Mutation, MutationCache } from '@tanstack/react-query';

/**
 * A form that is sent, and a button that has begun a change, do nothing again before the response. They are locked by then, but
 * only once that is rendered: on a slow device Enter may be pressed twice before, and two of what it makes would be made.
 */
export const ignoreWhilePending = (changes: MutationCache): void => {
  const sent = new WeakMap<Element, Sent>();
  let begun: Mutation | null = null;
  changes.subscribe((event) => {
    if (event.type === 'added') {
      begun = event.mutation;
    }
  });
  const before = (event: Event): void => {
    const control = controlOf(event);
    begun = null;
    const last = control && sent.get(control);
    if (last?.change.state.status === 'pending' && last.name === nameOf(control)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const after = (event: Event): void => {
    const control = controlOf(event);
    if (control && begun) {
      sent.set(control, { change: begun, name: nameOf(control) });
    }
  };
  for (const type of ['submit', 'click']) {
    // Before the listeners of React, which are below the window, and after them.
    window.addEventListener(type, before, { capture: true });
    window.addEventListener(type, after);
  }
};

type Sent = {
  readonly change: Mutation;
  /** One element may be another button by the next click, as that which stops the change. */
  readonly name: string | null;
};

const nameOf = (control: Element | null): string | null =>
  control instanceof HTMLButtonElement ? `${control.ariaLabel ?? ''} ${control.textContent}` : null;

const controlOf = ({ type, target }: Event): Element | null =>
  target instanceof Element ? target.closest(type === 'submit' ? 'form' : 'button') : null;
