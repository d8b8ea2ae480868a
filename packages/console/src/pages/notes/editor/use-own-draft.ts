import { useEffect, useState } from 'react';
import { takeForTab } from '../../../api/tab-lock.ts';

const attemptMs = 1_000;

/** Whether this tab has the draft of a new note for itself, as soon as no other one has it. Null: not known yet. */
export const useOwnDraft = (key: string): boolean | null => {
  const [isOwn, setIsOwn] = useState<boolean | null>(null);
  useEffect(() => {
    let isMounted = true;
    let release: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async (): Promise<void> => {
      // A tab in the background waits: the other one may only be reloading.
      if (timer !== undefined && document.visibilityState === 'hidden') {
        timer = setTimeout(() => void attempt(), attemptMs);
        return;
      }
      const taken = await takeForTab(key);
      if (!isMounted) {
        taken?.();
        return;
      }
      release = taken;
      setIsOwn(taken !== null);
      timer = taken ? undefined : setTimeout(() => void attempt(), attemptMs);
    };
    void attempt();
    return () => {
      isMounted = false;
      clearTimeout(timer);
      release?.();
    };
  }, [key]);
  return isOwn;
};
