import { Alert, Group, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { conflictCopiesQuery } from '../../../api/note-queries.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';

type Note = Pick<Schema<'NoteData'>, 'id' | 'companyId' | 'conflictOf'>;

/** Says that there is another version of a note, and leads to the choice. Nothing if there is none. */
export const ConflictNotice = ({ note }: { readonly note: Note }) => {
  const { id, companyId, conflictOf } = note;
  const { data: copies = [] } = useQuery({
    ...conflictCopiesQuery(companyId, id),
    enabled: conflictOf === null,
  });
  if (conflictOf !== null) {
    return (
      <Notice title="This is a version of a note that could not be merged">
        <Row companyId={companyId} copyId={id}>
          The note itself has another text.
        </Row>
      </Notice>
    );
  }
  return copies.length === 0 ? null : (
    <Notice title={`This note has ${copies.length === 1 ? 'an open conflict' : 'open conflicts'}`}>
      <Stack gap="sm">
        {copies.map((copy) => (
          <Row key={copy.id} companyId={companyId} copyId={copy.id}>
            <ActorName actor={copy.updatedBy} /> changed the same lines{' '}
            <RelativeTime at={copy.createdAt} />, and that version is kept beside this one.
          </Row>
        ))}
      </Stack>
    </Notice>
  );
};

type NoticeProps = { readonly title: string; readonly children: React.ReactNode };

const Notice = ({ title, children }: NoticeProps) => (
  <Alert mb="md" color="orange" title={title} role="status">
    {children}
  </Alert>
);

type RowProps = {
  readonly companyId: string;
  readonly copyId: string;
  readonly children: React.ReactNode;
};

const Row = ({ companyId, copyId, children }: RowProps) => (
  <Group justify="space-between" gap="xs">
    <span>{children}</span>
    <ButtonLink
      to="/companies/$companyId/notes/$noteId/conflict"
      params={{ companyId, noteId: copyId }}
      variant="default"
      size="xs"
    >
      Compare and resolve
    </ButtonLink>
  </Group>
);
