import { Button, Group, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys } from '../../api/query-keys.ts';
import { requestUndo, undoQuery } from '../../api/undo-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Said } from '../../components/said.tsx';
import { countsOf, describeCounts } from './outcomes.ts';
import { UndoneByAnother } from './undone-by-another.tsx';
import { UndoRunning } from './undo-running.tsx';
import { UndoneNotes } from './undone-notes.tsx';
import { useTakenBack } from './use-taken-back.ts';

type UndoProgressProps = {
  readonly companyId: string;
  readonly undoId: string;
  readonly onDone: () => void;
};

/** An undo under way, then what became of the notes. It goes on if the dialog is closed. */
export const UndoProgress = ({ companyId, undoId, onDone }: UndoProgressProps) => {
  const client = useQueryClient();
  const { data: undo, error } = useQuery(undoQuery(companyId, undoId));
  const isFinished = undo !== undefined && undo.finishedAt !== null;
  useEffect(() => {
    if (isFinished) {
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      void client.invalidateQueries({ queryKey: keys.activity(companyId) });
    }
  }, [isFinished, client, companyId]);
  return (
    <Stack>
      {error && <ErrorAlert error={error} />}
      {isFinished ? (
        <Result companyId={companyId} undo={undo} />
      ) : (
        !error && <UndoRunning undo={undo} verb="Undoing" />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
      </Group>
    </Stack>
  );
};

type ResultProps = { readonly companyId: string; readonly undo: Schema<'Undo'> };

const Result = ({ companyId, undo }: ResultProps) => {
  const client = useQueryClient();
  const [secondId, setSecondId] = useState<string | null>(null);
  const reverted = useTakenBack(companyId, { undoId: undo.id, at: undo.createdAt });
  const revert = useMutation({
    mutationFn: () => requestUndo(companyId, { undoId: undo.id }),
    onSuccess: setSecondId,
    // Also one whose response was lost may have begun.
    onSettled: reloadWhenSettled(() =>
      client.invalidateQueries({ queryKey: keys.activity(companyId) }),
    ),
  });
  const { changed } = countsOf(undo.outcomes);
  if (secondId !== null) {
    return <Reverted companyId={companyId} undoId={secondId} />;
  }
  return (
    <>
      <Group justify="space-between">
        <Said>
          {undo.status === 'failed' && `It stopped: ${undo.error?.detail ?? 'unknown reason'}. `}
          {describeCounts(undo)}
          {reverted && ' That was taken back.'}
          {undo.pausedAgentId !== null && ' The agent stays paused until it is resumed.'}
        </Said>
        {changed > 0 && reverted === null && (
          <Button
            size="xs"
            variant="default"
            loading={revert.isPending}
            onClick={() => revert.mutate()}
          >
            Take this undo back
          </Button>
        )}
      </Group>
      {changed === 0 && undo.outcomes.unchanged > 0 && (
        <UndoneByAnother companyId={companyId} undo={undo} />
      )}
      {revert.isError && !reverted && <ErrorAlert error={revert.error} />}
      <UndoneNotes companyId={companyId} undo={undo} empty={null} />
    </>
  );
};

type RevertedProps = { readonly companyId: string; readonly undoId: string };

const Reverted = ({ companyId, undoId }: RevertedProps) => {
  const client = useQueryClient();
  const { data: undo } = useQuery(undoQuery(companyId, undoId));
  const isFinished = undo !== undefined && undo.finishedAt !== null;
  useEffect(() => {
    if (isFinished) {
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
    }
  }, [isFinished, client, companyId]);
  return isFinished ? (
    <Said>{`The undo was taken back: ${describeCounts(undo)}`}</Said>
  ) : (
    <UndoRunning undo={undo} verb="Taking back" />
  );
};
