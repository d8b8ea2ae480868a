import { trackFocus } from './track-focus.ts';

/** How long a page or a dialog that closes has to move the focus itself. */
const graceMs = 150;

/** Where an element is, from its parent to the body. */
type Place = readonly { readonly parent: Element; readonly index: number }[];

/**
 * An element that is removed loses the focus, as the button of a row that it removes: a screen reader then says nothing, and
 * begins at the top. What has taken the place of the element gets the focus, or else the nearest that is left around it.
 * It is no control, so that a key pressed twice does nothing to the next row.
 */
export const keepFocusNearRemoved = (): void => {
  const lastFocused = trackFocus((element) => ({ element, place: placeOf(element) }));
  let isWaiting = false;
  const moveFocus = (): void => {
    isWaiting = false;
    const last = lastFocused();
    if (last && !last.element.isConnected && document.activeElement === document.body) {
      focusOn(successorOf(last.place));
    }
  };
  const observer = new MutationObserver(() => {
    if (!isWaiting && lastFocused()?.element.isConnected === false) {
      isWaiting = true;
      setTimeout(moveFocus, graceMs);
    }
  });
  observer.observe(document, { subtree: true, childList: true });
};

const placeOf = (element: Element): Place => {
  const place = [];
  for (let child = element; child.parentElement; child = child.parentElement) {
    const parent = child.parentElement;
    place.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return place;
};

const controls = 'a, button, input, select, textarea, summary';

/** What is there now; null for a dialog, which gives the focus back itself, or see `keepPlace`. */
const successorOf = (place: Place): Element | null => {
  const left = place.find(({ parent }) => parent.isConnected);
  if (!left || !document.querySelector('#root')?.contains(left.parent)) {
    return null;
  }
  const { children } = left.parent;
  const found = children[left.index] ?? lastRowOf(children[children.length - 1]) ?? left.parent;
  return found.matches(controls) ? left.parent : found;
};

/** The last row of a list whose end is gone: Tab leads on from there, and not from the first row. */
const lastRowOf = (list: Element | undefined): Element | undefined =>
  [...(list?.querySelectorAll('tr, li') ?? [])].at(-1) ?? list;

/** Gives the focus to an element that has none otherwise, and leaves the order of Tab as it was. */
const focusOn = (element: Element | null): void => {
  if (!(element instanceof HTMLElement)) {
    return;
  }
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
};
