import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { recordedUndosQuery, type RecordedUndo } from '../../api/undo-queries.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

type UndoneByAnotherProps = { readonly companyId: string; readonly undo: Schema<'Undo'> };

/** Where an undo found nothing left to do: who undid the same before; nothing where nobody did. */
export const UndoneByAnother = ({ companyId, undo }: UndoneByAnotherProps) => {
  const { data: undos = [] } = useQuery(recordedUndosQuery(companyId));
  const other = otherOf(undos, undo.id);
  return other === null ? null : (
    <Text size="sm">
      {other.by} undid the same <RelativeTime at={other.at} />.
    </Text>
  );
};

/** An older one, of an agent or a key, may have undone what was written before it only. */
const sameTimeMs = 600_000;

/** The newest other undo of the same, begun at about the same time, unless it was taken back. */
const otherOf = (undos: readonly RecordedUndo[], undoId: string): RecordedUndo | null => {
  const own = undos.find((undo) => undo.undoId === undoId);
  const other = undos.find(
    (undo) =>
      undo.undoId !== undoId &&
      undo.entityId === own?.entityId &&
      undo.undone === own.undone &&
      Math.abs(Date.parse(undo.at) - Date.parse(own.at)) < sameTimeMs,
  );
  const isTakenBack = undos.some(({ undone }) => undone !== null && undone === other?.undoId);
  return isTakenBack ? null : (other ?? null);
};
