import { Button } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../../api/api.ts';
import { isChangedSince } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { reloadWhenSettled } from '../../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { markShown } from '../../../components/shown-errors.ts';
import { showRestored } from './show-restored.ts';

type RestoreButtonProps = {
  readonly noteId: string;
  /** Which version to restore. */
  readonly revision: number;
  /** The newest one that the operator sees. */
  readonly newest: Schema<'NoteRevisionSummary'>;
};

/** Makes an earlier version the newest, unless there is a newer one than the operator sees. */
export const RestoreButton = ({ noteId, revision, newest }: RestoreButtonProps) => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      apiOf(companyId).post('/api/notes/{id}/restore', {
        params: { path: { id: noteId }, header: conditionOf(newest) },
        body: { revision },
      }),
    onSuccess: ({ data: note, response }) => {
      const isChanged = response.headers.get('note-restored') !== 'false';
      showRestored(client, { companyId, note, version: revision, isChanged });
    },
    onError: (error) => {
      if (isChangedSince(error)) {
        markShown(error);
        notifications.show({ color: 'orange', message: changedSince });
      }
    },
    onSettled: reloadWhenSettled(() =>
      client.invalidateQueries({ queryKey: keys.notes(companyId) }),
    ),
  });
  return (
    <>
      {restore.isError && !isChangedSince(restore.error) && <ErrorAlert error={restore.error} />}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-label={`Restore revision ${revision}`}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        Restore
      </Button>
    </>
  );
};

/** A deleted note meets no condition. */
const conditionOf = ({ revision, deleted }: Schema<'NoteRevisionSummary'>) =>
  deleted ? {} : { 'If-Match': `"${revision}"` };

const changedSince =
  'The note has changed since, so nothing was restored. Its newest revision is listed now.';
