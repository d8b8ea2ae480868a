import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { runChangesQuery } from '../../api/run-queries.ts';
import { NoteChanges } from '../../components/note-changes.tsx';

/** The versions of notes that a run wrote, newest first. */
export const RunChanges = ({ run }: { readonly run: Schema<'Run'> }) => {
  const query = useInfiniteQuery(runChangesQuery(run.companyId, run));
  return <NoteChanges companyId={run.companyId} query={query} nothing="No notes with its token." />;
};
