import { useQuery } from '@tanstack/react-query';
import {
  areKnownSince,
  recordedUndosQuery,
  takenBackQuery,
  type RecordedUndo,
} from '../../api/undo-queries.ts';

type Undone = {
  readonly undoId: string;
  /** When it was requested. */
  readonly at: string;
};

/** The undo that took back another one; null: it was not taken back, undefined: that is not known yet. */
export const useTakenBack = (
  companyId: string,
  { undoId, at }: Undone,
): RecordedUndo | null | undefined => {
  const { data: newest } = useQuery(recordedUndosQuery(companyId));
  const isOlder = newest !== undefined && !areKnownSince(newest, at);
  const { data: all } = useQuery({ ...takenBackQuery(companyId), enabled: isOlder });
  const found = (isOlder ? all : newest)?.find(({ undone }) => undone === undoId);
  return found ?? ((isOlder ? all : newest) === undefined ? undefined : null);
};
