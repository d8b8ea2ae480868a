import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { isWriteRefused, isUnavailable, requestedPause, retryText } from '../../../api/problems.ts';
import { sessionQuery } from '../../../api/session-queries.ts';
import { useCan } from '../../../app/session/use-can.ts';

type SaveAgainOptions = {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly save: () => void;
};

/** Whether a save that failed so is tried again once the page reaches the server. Too many requests would become more. */
const isTriedOnContact = (error: unknown): boolean =>
  isUnavailable(error) && retryText(error) === null;

/**
 * Saves again by itself what could not be saved: whenever the page reaches the server, if that was not there, and after the
 * pause that a server with too many requests has requested.
 */
export const useSaveAgain = ({ error, isPending, save }: SaveAgainOptions) => {
  // The page polls the session.
  const { dataUpdatedAt } = useQuery({ ...sessionQuery, enabled: false });
  const can = useCan();
  const [tried, setTried] = useState<unknown>(null);
  const saveAgain = useEffectEvent(() => {
    if (!isPending) {
      setTried(error);
      save();
    }
  });
  const saveOnContact = useEffectEvent(() => {
    if (isTriedOnContact(error)) {
      saveAgain();
    }
  });
  useEffect(() => saveOnContact(), [dataUpdatedAt]);
  const due = useSaveAfterPause(error, saveAgain);
  // While it is tried again, what failed stays in view.
  const failure = error ?? (isPending ? tried : null);
  // A refusal says nothing any more once the operator was seen to have lost the right, and has it again.
  const [outlived, setOutlived] = useState<unknown>(null);
  if (!can.write && outlived !== failure) {
    setOutlived(failure);
  }
  return {
    failure,
    hasFailed: failure !== null && failure !== undefined,
    isTriedOnContact: isTriedOnContact(failure),
    /** When it is tried again; null: not at a time. */
    dueMs: due !== null && due.error === failure ? due.atMs : null,
    /** Whether the operator may save no more, perhaps before a save was refused for it. */
    isReadOnly: !can.write || (isWriteRefused(failure) && outlived !== failure),
    /** For an attempt of the operator, who sees what became of it. */
    forget: () => setTried(null),
  };
};

/** Saves after the pause that the server has requested. Returns when that is, with the error that said so. */
const useSaveAfterPause = (error: unknown, saveAgain: () => void) => {
  const [due, setDue] = useState<{ readonly error: unknown; readonly atMs: number } | null>(null);
  const begin = useEffectEvent((pauseMs: number) => {
    setDue({ error, atMs: Date.now() + pauseMs });
    return setTimeout(() => saveAgain(), pauseMs);
  });
  useEffect(() => {
    const seconds = requestedPause(error);
    const timer = seconds === null ? undefined : begin(seconds * 1_000);
    return () => clearTimeout(timer);
  }, [error]);
  return due;
};
