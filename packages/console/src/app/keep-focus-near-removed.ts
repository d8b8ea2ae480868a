import { trackFocus } from './track-focus.ts';

/** How long a page or a dialog that closes has to move the focus itself. */
const graceMs = 150;

/** Where an element is, from its parent to the body. */
type Place = readonly { readonly parent: Element; readonly index: number }[];

type Focused = { readonly element: Element; readonly place: Place };

/**
 * An element that is removed loses the focus, as the button of a row that it removes: a screen reader then says nothing, and
 * begins at the top. What has taken the place of the element gets the focus, or else the nearest that is left around it.
 * It is no control, so that a key pressed twice does nothing to the next row.
 */
export const keepFocusNearRemoved = (): void => {
  /** What had the focus last outside dialogs and menus. */
  let onPage: Focused | null = null;
  const lastFocused = trackFocus((element): Focused => {
    const focused = { element, place: placeOf(element) };
    onPage = isOnPage(element) ? focused : onPage;
    return focused;
  });
  let isWaiting = false;
  const moveFocus = (): void => {
    isWaiting = false;
    const last = lastFocused();
    if (last && !last.element.isConnected && document.activeElement === document.body) {
      if (!focusOn(successorOf(last.place))) {
        goBackTo(onPage);
      }
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

const dialog = '[role="dialog"]';

const isOnPage = (element: Element): boolean =>
  document.querySelector('#root')?.contains(element) === true;

/** What is there now; null for a whole dialog. */
const successorOf = (place: Place): Element | null => {
  const left = place.find(({ parent }) => parent.isConnected);
  if (!left || !(isOnPage(left.parent) || left.parent.closest(dialog))) {
    return null;
  }
  const { children } = left.parent;
  const found = children[left.index] ?? lastRowOf(children[children.length - 1]) ?? left.parent;
  return withText(found.matches(controls) ? left.parent : found);
};

/** The nearest around an element that a screen reader can read: a row rather than its cell, once the cell is empty. */
const withText = (element: Element): Element => {
  let readable = element;
  while (readable.textContent.trim() === '' && readable.parentElement) {
    readable = readable.parentElement;
  }
  return readable;
};

/** The last row of a list whose end is gone: Tab leads on from there, and not from the first row. */
const lastRowOf = (list: Element | undefined): Element | undefined =>
  [...(list?.querySelectorAll('tr, li') ?? [])].at(-1) ?? list;

/** After a dialog that began from something that is gone by now, as the last of several: what has its place on the page. */
const goBackTo = (last: Focused | null): void => {
  if (last === null || document.querySelector(dialog)) {
    return;
  }
  if (last.element.isConnected && last.element instanceof HTMLElement) {
    last.element.focus({ preventScroll: true });
  } else {
    focusOn(successorOf(last.place));
  }
};

/** Gives the focus to an element that has none otherwise, and leaves the order of Tab as it was. False: there is none. */
const focusOn = (element: Element | null): boolean => {
  if (!(element instanceof HTMLElement)) {
    return false;
  }
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
  return true;
};
