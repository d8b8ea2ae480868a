import { useEffect, useRef } from 'react';

/** What a control does once it has replaced its stand-in. */
export type TakeOver = { readonly hasFocus: boolean; readonly event: Event | null };

/** The target of a control that replaces a stand-in: gets the focus, and then the event. */
export const useTakeOver = <Target extends HTMLElement>({ hasFocus, event }: TakeOver) => {
  const target = useRef<Target>(null);
  useEffect(() => {
    if (hasFocus || event) {
      target.current?.focus({ preventScroll: true });
    }
    // After the focus has been handled: some lists are only mounted on focus.
    const frame = event && requestAnimationFrame(() => target.current?.dispatchEvent(event));
    return () => cancelAnimationFrame(frame ?? 0);
  }, [hasFocus, event]);
  return target;
};
