import type { Schema } from '@commonplace/client';
import { IconNotes } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { conflictCopiesQuery } from '../../../api/note-queries.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { BackToNote } from '../back-to-note.tsx';
import { ConflictNotice } from './conflict-notice.tsx';

type ConflictsOfNoteProps = { readonly note: Schema<'NoteData'> };

/** The conflicts of a note that is no conflict copy itself: leads to the only one, lists several, or says that there is none. */
export const ConflictsOfNote = ({ note }: ConflictsOfNoteProps) => {
  const { companyId, id: noteId, title } = note;
  const { data: copies, error, refetch } = useQuery(conflictCopiesQuery(companyId, noteId));
  const [only, ...others] = copies ?? [];
  if (only && others.length === 0) {
    return (
      <Navigate
        to="/companies/$companyId/notes/$noteId/conflict"
        params={{ companyId, noteId: only.id }}
        replace
      />
    );
  }
  return (
    <>
      <PageHeader
        title={title === '' ? 'Conflict' : title}
        actions={<BackToNote companyId={companyId} noteId={noteId} />}
      />
      {error && !copies && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {!error && !copies && <SectionSkeleton height={200} />}
      {copies?.length === 0 && (
        <EmptyState icon={IconNotes} title="No open conflict">
          No other version of this note is left to choose from.
        </EmptyState>
      )}
      <ConflictNotice note={note} />
    </>
  );
};
