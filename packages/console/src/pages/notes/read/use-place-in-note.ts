import { getRouteApi, useElementScrollRestoration, useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { lineInText } from './line-in-text.ts';
import { scrollBack, showLines } from './show-lines.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId');

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
    if (before) {
      return scrollBack(before.scrollY);
    }
    return place.line === undefined || !text.current
      ? undefined
      : showLines(text.current, lineInText(content, place));
  });
  useEffect(() => open(), [visit]);
  return text;
};
