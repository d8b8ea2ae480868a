import { Group, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { credentialChangesQuery, type CredentialId } from '../../api/agent-queries.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { modals } from '../../components/modals.ts';
import { NoteChanges } from '../../components/note-changes.tsx';
import { StopAndUndo } from '../undo/stop-and-undo.tsx';
import { UndoneNotice } from '../undo/undone-notice.tsx';

type CredentialChangesProps = {
  readonly companyId: string;
  readonly agentId: string;
  readonly credential: CredentialId;
  readonly name: string;
};

/** Shows the versions of notes that were written with an API key or a connection, and undoes them. */
export const ShowChanges = (props: CredentialChangesProps) => (
  <IconButton
    label={`Changes with ${props.name}`}
    icon={IconHistory}
    onClick={() =>
      modals.open({
        title: `Notes changed with ${props.name}`,
        size: 'lg',
        children: <CredentialChanges {...props} />,
      })
    }
  />
);

/** Newest first. The runs that a key began have pages of their own. */
const CredentialChanges = ({ companyId, agentId, credential, name }: CredentialChangesProps) => {
  const query = useInfiniteQuery(credentialChangesQuery(companyId, credential));
  return (
    <Stack>
      <Group justify="flex-end">
        <StopAndUndo
          size="xs"
          companyId={companyId}
          agentId={agentId}
          source={credential}
          what={`what was written with ${name}`}
        />
      </Group>
      <UndoneNotice
        companyId={companyId}
        entityId={'keyId' in credential ? credential.keyId : credential.connectionId}
        what={`what was written with ${name}`}
      />
      <NoteChanges
        companyId={companyId}
        query={query}
        nothing={
          'keyId' in credential
            ? 'No notes with this key itself. What its runs wrote stands on the pages of the runs.'
            : 'No notes with this connection.'
        }
      />
    </Stack>
  );
};
