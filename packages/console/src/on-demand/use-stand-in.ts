import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OnDemand } from './on-demand.ts';
import { explainNotLoaded } from './use-on-demand.ts';
import type { TakeOver } from './use-take-over.ts';

const bubbling = { bubbles: true, cancelable: true };

const openingKeys = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/** A tap becomes a click some time after the finger is lifted. */
const clickMsMax = 300;

/**
 * A stand-in looks like a control whose code is not loaded yet. Pointing at it or focusing it loads the control, which
 * then takes over the focus, and repeats the click or the key that the stand-in got meanwhile.
 */
export const useStandIn = <Props, Target extends HTMLElement>(control: OnDemand<Props>) => {
  const ref = useRef<Target>(null);
  const event = useRef<Event | null>(null);
  const isPressed = useRef(false);
  const isReplaced = useRef(false);
  const [Control, setControl] = useState(control.loaded);
  const [takeOver, setTakeOver] = useState<TakeOver>({ hasFocus: false, event: null });
  const load = useCallback(() => {
    void control.load().then(
      (component) => {
        // Replaced between press and release, it would get no click.
        if (!isPressed.current && !isReplaced.current) {
          isReplaced.current = true;
          // At once: a press that began on the stand-in before it is replaced would be no click.
          flushSync(() => {
            setTakeOver(takeOverFrom(ref.current, event.current));
            setControl(() => component);
          });
        }
      },
      (error: unknown) => {
        if (event.current) {
          explainNotLoaded(error);
        }
        event.current = null;
      },
    );
  }, [control]);
  const release = useCallback(() => {
    isPressed.current = false;
    load();
  }, [load]);
  const open = (pending: Event): void => {
    event.current = pending;
    if (isReplaced.current) {
      // It is about to be.
      setTakeOver({ hasFocus: true, event: pending });
    } else {
      release();
    }
  };
  const standIn = {
    ref,
    onPointerEnter: load,
    onFocus: load,
    onPointerDown: () => {
      isPressed.current = true;
      setTimeout(release, clickMsMax);
    },
    onClick: () => open(new MouseEvent('click', bubbling)),
  };
  return { Control, takeOver, standIn, open };
};

const controls = ':is(a, button, input, select, textarea, [contenteditable="true"])';

/** Where another control has the focus by now, what is typed there goes on there. */
const takeOverFrom = (standIn: Element | null, event: Event | null): TakeOver => {
  const focused = document.activeElement;
  const hasFocus = focused === standIn;
  return { hasFocus, event: hasFocus || !focused?.matches(controls) ? event : null };
};

/** The handler of a field that stands in; a button turns these keys into a click by itself. */
export const openByKey =
  (open: (event: Event) => void) =>
  (pressed: React.KeyboardEvent): void => {
    const { key, nativeEvent } = pressed;
    if (openingKeys.has(key)) {
      pressed.preventDefault();
      open(new KeyboardEvent('keydown', { key, code: nativeEvent.code, ...bubbling }));
    }
  };
