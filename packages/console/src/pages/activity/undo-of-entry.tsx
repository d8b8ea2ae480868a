import { Group, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useCompanyId } from '../../api/use-company-id.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { UndoButton } from '../undo/undo-button.tsx';
import { useTakenBack } from '../undo/use-taken-back.ts';

type UndoOfEntryProps = {
  readonly entry: Schema<'ActivityEntry'>;
  readonly nameOf: (id: unknown) => string | undefined;
};

/** Of an entry about an undo: who took it back, and the way to the notes and to take it back. */
export const UndoOfEntry = ({ entry, nameOf }: UndoOfEntryProps) => {
  const companyId = useCompanyId();
  const undoId = String(entry.detail['undoId']);
  const reverted = useTakenBack(companyId, { undoId, at: entry.at });
  return (
    <Group gap="xs" mt={4}>
      <UndoButton
        companyId={companyId}
        undoId={undoId}
        what={whatOf(entry, nameOf)}
        isTakenBack={reverted !== null}
      />
      {reverted && (
        <Text size="sm">
          taken back by {reverted.by} <RelativeTime at={reverted.at} />
        </Text>
      )}
    </Group>
  );
};

const whatOf = (
  { entity, detail }: UndoOfEntryProps['entry'],
  nameOf: UndoOfEntryProps['nameOf'],
) =>
  entity.type === 'run'
    ? `what run ${entity.id.slice(-8)} wrote`
    : detail['undone'] === undefined
      ? `what ${nameOf(detail['agentId']) ?? 'an agent'} wrote`
      : 'an undo';
