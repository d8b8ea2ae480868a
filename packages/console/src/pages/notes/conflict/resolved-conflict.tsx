import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { newestVersionsQuery } from '../../../api/note-queries.ts';
import { keysOfTabs } from '../../../api/stored-drafts.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { PageSkeleton } from '../../../components/skeletons.tsx';
import { titleText } from '../../../components/title-text.ts';
import { LeftDrafts } from '../editor/left-drafts.tsx';
import { useDraftKey } from '../editor/use-draft-key.ts';
import { HistoryLink } from '../read/history-link.tsx';
import { textsOfDrafts } from './conflict-draft.ts';

/** A conflict whose copy was deleted, as every choice does. Its last version knows by whom. */
export const ResolvedConflict = ({ copyId }: { readonly copyId: string }) => {
  const companyId = useCompanyId();
  const { data: [removal, removed] = [], isPending } = useQuery(
    newestVersionsQuery(companyId, copyId),
  );
  const key = useDraftKey({ kind: 'conflict', id: copyId });
  const [drafts, setDrafts] = useState<ReturnType<typeof textsOfDrafts>>([]);
  // Not before the page of the open conflict is gone, which keeps the newest text then.
  useEffect(() => setDrafts(textsOfDrafts(keysOfTabs(key))), [key]);
  if (isPending) {
    return <PageSkeleton />;
  }
  return (
    <>
      <ResolvedHeader copyId={copyId} removal={removal} removed={removed} />
      <LeftDrafts drafts={drafts} reason="You had not saved it when the conflict was resolved." />
    </>
  );
};

type Version = Schema<'NoteRevisionSummary'>;

type ResolvedHeaderProps = {
  readonly copyId: string;
  /** Undefined: no longer stored. */
  readonly removal: Version | undefined;
  readonly removed: Version | undefined;
};

const ResolvedHeader = ({ copyId, removal, removed }: ResolvedHeaderProps) => {
  const companyId = useCompanyId();
  return (
    <PageHeader
      title={removal ? titleText(removal.title) : 'Conflict'}
      description={
        removal ? (
          <>
            This conflict is resolved: <ActorName actor={removal.createdBy} /> removed,{' '}
            <RelativeTime at={removal.createdAt} />, <Removed version={removed} />. Its history is
            still available.
          </>
        ) : (
          'This conflict is resolved: the version that was not merged was removed.'
        )
      }
      actions={
        <>
          <ButtonLink
            to="/companies/$companyId/notes"
            params={{ companyId }}
            search={{ show: 'conflicts' }}
            variant="default"
          >
            Open conflicts
          </ButtonLink>
          <HistoryLink companyId={companyId} noteId={copyId} />
        </>
      }
    />
  );
};

const Removed = ({ version }: { readonly version: Version | undefined }) =>
  version ? (
    <>
      the version that <ActorName actor={version.createdBy} /> wrote{' '}
      <RelativeTime at={version.createdAt} />
    </>
  ) : (
    'the version that was not merged'
  );
