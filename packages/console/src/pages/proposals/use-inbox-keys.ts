import { useEffect, useEffectEvent, useRef } from 'react';
import { sequenceMs, singleKeyOf } from '../../app/palette/single-key-of.ts';
import { useIsAtOwnPage } from '../../components/use-is-at.ts';

/** What keys do; null: not now, or not by this operator. */
type KeyActions = Readonly<Record<string, (() => void) | null>>;

/** Keys that repeat while they are held down. */
const walking = new Set(['j', 'k']);

/** Keys of the inbox, until another page is on its way. The second key of `g a` opens the agents, and accepts nothing. */
export const useInboxKeys = (actions: KeyActions): void => {
  const goesUntilMs = useRef(0);
  const isAtOwnPage = useIsAtOwnPage();
  const handle = useEffectEvent((event: KeyboardEvent): void => {
    const key = singleKeyOf(event);
    const isGoing = event.timeStamp < goesUntilMs.current;
    goesUntilMs.current = event.key === 'g' && !isGoing ? event.timeStamp + sequenceMs : 0;
    const act = key === null || isGoing || !isAtOwnPage() ? null : (actions[key] ?? null);
    if (key !== null && act && (!event.repeat || walking.has(key))) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => handle(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
};
