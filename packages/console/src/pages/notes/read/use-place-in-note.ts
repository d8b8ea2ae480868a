import { getRouteApi, useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { placeAtTop, type PlaceAtTop } from './displayed-lines.ts';
import { lineInText } from './line-in-text.ts';
import { scrollBack, scrollBackTo, scrollToEnd, showLines } from './show-lines.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId');

/**
 * Where visits to notes were left, by visit. In pixels from the beginning of the page it would be another place on the way
 * back: what is rendered by then is not as high as its plain text.
 */
const left = new Map<string, PlaceAtTop>();

/**
 * Opens a note at the place in its address, once for each visit: who comes back to a note is where they were. Returns the ref of
 * what displays the text.
 */
export const usePlaceInNote = (content: string): RefObject<HTMLDivElement | null> => {
  const text = useRef<HTMLDivElement>(null);
  const place = route.useSearch();
  const visit = useLocation({ select: ({ state, href }) => state.__TSR_key ?? href });
  const before = useElementScrollRestoration({ getElement: () => window });
  const open = useEffectEvent((): (() => void) | undefined => {
    const was = left.get(visit);
    if (before) {
      return was && text.current ? scrollBackTo(text.current, was) : scrollBack(before.scrollY);
    }
    return place.line === undefined || !text.current
      ? undefined
      : showLines(text.current, lineInText(content, place));
  });
  useEffect(() => open(), [visit]);
  // The document still has the text then.
  useLayoutEffect(() => {
    const note = text.current;
    return () => {
      const at = note && placeAtTop(note);
      if (at) {
        left.set(visit, at);
      }
    };
  }, [visit]);
  useEffect(stayAtEnd, []);
  return text;
};

/** The key End leads to the end, also where what is rendered on the way is higher than its plain text. */
const stayAtEnd = (): (() => void) => {
  window.addEventListener('keydown', goToEnd);
  return () => window.removeEventListener('keydown', goToEnd);
};

const goToEnd = ({ key, shiftKey, altKey, target }: KeyboardEvent): void => {
  const isText = target instanceof Element && target.matches('input, textarea, [contenteditable]');
  if (key === 'End' && !shiftKey && !altKey && !isText) {
    scrollToEnd();
  }
};
