import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sessionQuery } from '../../../api/session-queries.ts';
import { RequirePermission } from '../../../app/session/require-permission.tsx';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { readDraft } from './drafts.ts';
import { NoteForm, type NoteFormHandle } from './note-form.tsx';
import type { NoteText } from '../note-text.ts';
import { useCreateNote } from './use-create-note.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/new');

const empty: NoteText = {
  title: '',
  content: '',
  folder: '',
  tags: [],
  pinned: false,
  archived: false,
};

/** Creates a note. */
export const NewNotePage = () => (
  <RequirePermission permission="write">
    <NewNote />
  </RequirePermission>
);

const NewNote = () => {
  const companyId = useCompanyId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Who wrote it keeps it, also if another operator signs in in another tab.
  const [operatorId] = useState(session.operator.id);
  const draftName = { operatorId, companyId, noteId: null };
  const { folder = '' } = route.useSearch();
  // What is chosen already is no unsaved work.
  const [given] = useState({ ...empty, folder });
  const [initial] = useState(() => readDraft(draftName)?.text ?? given);
  const handle = useRef<NoteFormHandle>(null);
  const create = useCreateNote(draftName, () => handle.current);
  usePageTitle('New note');
  return (
    <NoteForm
      ref={handle}
      heading="New note"
      cancel={
        <ButtonLink
          to="/companies/$companyId/notes"
          params={{ companyId }}
          search={folder === '' ? {} : { folder }}
          variant="default"
          size="xs"
        >
          Cancel
        </ButtonLink>
      }
      saved={given}
      baseRevision={null}
      initial={initial}
      draftName={draftName}
      error={create.error}
      isPending={create.isPending}
      onSave={(text, { isStaying }) => create.mutate({ text, isStaying })}
    />
  );
};
