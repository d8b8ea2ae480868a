import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { isWriteRefused, isUnavailable, retryText } from '../../../api/problems.ts';
import { sessionQuery } from '../../../api/session-queries.ts';
import { useCan } from '../../../app/session/use-can.ts';

type SaveAgainOptions = {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly save: () => void;
};

/** Whether a save that failed so is tried again by itself. Too many requests would become more. */
const isTriedAgain = (error: unknown): boolean => isUnavailable(error) && retryText(error) === null;

/** Saves again by itself, whenever the page reaches the server, what could not be saved because the server was not there. */
export const useSaveAgain = ({ error, isPending, save }: SaveAgainOptions) => {
  // The page polls the session.
  const { dataUpdatedAt } = useQuery({ ...sessionQuery, enabled: false });
  const can = useCan();
  const [tried, setTried] = useState<unknown>(null);
  const saveAgain = useEffectEvent(() => {
    if (!isPending && isTriedAgain(error)) {
      setTried(error);
      save();
    }
  });
  useEffect(() => saveAgain(), [dataUpdatedAt]);
  // While it is tried again, what failed stays in view.
  const failure = error ?? (isPending ? tried : null);
  // A refusal says nothing any more once the operator was seen to have lost the right, and has it again.
  const [outlived, setOutlived] = useState<unknown>(null);
  if (!can.write && outlived !== failure) {
    setOutlived(failure);
  }
  return {
    failure,
    isTriedAgain: isTriedAgain(failure),
    /** Whether the operator may save no more, perhaps before a save was refused for it. */
    isReadOnly: !can.write || (isWriteRefused(failure) && outlived !== failure),
    /** For an attempt of the operator, who sees what became of it. */
    forget: () => setTried(null),
  };
};
