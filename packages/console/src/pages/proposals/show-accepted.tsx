import { Button, Group, Text } from '@mantine/core';
import { ProblemError, type Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from '../../api/api.ts';
import { revisionQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { textOf } from '../notes/note-text.ts';

type Proposal = Pick<
  Schema<'Proposal'>,
  'id' | 'companyId' | 'noteId' | 'title' | 'folder' | 'revision'
>;

/** Longer than a message that is only read. */
const shownMs = 10_000;

/** Says what was accepted, with the way back as long as it is displayed, if the note has changed. */
export const showAccepted = (client: QueryClient, proposal: Proposal): void => {
  const { id, title, revision } = proposal;
  const became = revision === null ? 'the note had this content already' : `revision ${revision}`;
  const text = `Accepted: ${title === '' ? 'Untitled' : title}, ${became}.`;
  if (revision === null) {
    notifications.show({ message: text });
    return;
  }
  const undo = (): void => {
    // A second click finds no button.
    notifications.hide(id);
    void showUndone(client, { ...proposal, revision });
  };
  notifications.show({
    id,
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text inherit>{text}</Text>
        <Button size="compact-sm" variant="default" flex="none" onClick={undo}>
          Undo
        </Button>
      </Group>
    ),
  });
};

type Accepted = Pick<Proposal, 'companyId' | 'noteId' | 'title'> & { readonly revision: number };

const showUndone = async (client: QueryClient, accepted: Accepted): Promise<void> => {
  const name = accepted.title === '' ? 'Untitled' : accepted.title;
  try {
    const isDeleted = await undoAccepted(client, accepted);
    notifications.show({
      message: `${name} ${isDeleted ? 'was deleted' : 'is as it was before'}. The proposal stays accepted.`,
    });
  } catch (error) {
    const hasChanged = error instanceof ProblemError && error.code === 'precondition_failed';
    notifications.show({
      color: 'red',
      message: hasChanged
        ? `${name} has changed since, so it was left alone. Its history has the version before.`
        : `${name}: ${detailOf(error)}`,
    });
  }
  await client.invalidateQueries({ queryKey: keys.notes(accepted.companyId) });
};

/**
 * Writes the version before the accepted one as a new revision, or deletes a note that did not exist before. What others
 * wrote since is left alone: 412. Returns whether the note was deleted.
 */
const undoAccepted = async (client: QueryClient, accepted: Accepted): Promise<boolean> => {
  const { companyId, noteId, revision } = accepted;
  const before =
    revision === 1 ? null : await client.fetchQuery(revisionQuery(companyId, noteId, revision - 1));
  const params = { path: { id: noteId }, header: { 'If-Match': `"${revision}"` } };
  if (before === null || before.deleted) {
    await apiOf(companyId).delete('/api/notes/{id}', { params });
    return true;
  }
  await apiOf(companyId).put('/api/notes/{id}', {
    params,
    body: { ...textOf(before), properties: before.properties },
  });
  return false;
};
