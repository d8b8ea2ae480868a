import { Button } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { IconArrowLeft, IconInbox } from '@tabler/icons-react';
import { isNotFound } from '../../api/problems.ts';
import { proposalQuery } from '../../api/proposal-queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { useDraftKey } from '../notes/editor/use-draft-key.ts';
import { useDraftPlace, type DraftPlace } from '../notes/editor/use-draft-place.ts';
import { hasProposalDraft } from './proposal-draft.ts';
import { ProposalDetail } from './proposal-detail.tsx';
import classes from './proposals.module.css';
import { useDeciding } from './use-deciding.ts';
import type { Inbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

type DetailPaneProps = {
  readonly companyId: string;
  readonly proposalId: string;
  readonly inbox: Inbox;
  readonly onBack: () => void;
};

/** The proposal that is open. */
export const DetailPane = ({ companyId, proposalId, inbox, onBack }: DetailPaneProps) => {
  const { data, error, refetch } = useQuery(proposalQuery(companyId, proposalId));
  const draftKey = useDraftKey({ kind: 'proposal', id: proposalId });
  const place = useDraftPlace(draftKey, hasProposalDraft);
  return (
    <>
      <Button
        className={classes['back'] ?? ''}
        variant="subtle"
        size="xs"
        mb="xs"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        onClick={onBack}
      >
        All proposals
      </Button>
      {data && place ? (
        <Loaded detail={data} inbox={inbox} place={place} />
      ) : isNotFound(error) ? (
        <EmptyState icon={IconInbox} title="No such proposal">
          It was removed some time after it ended, or belongs to another company.
        </EmptyState>
      ) : error ? (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <SectionSkeleton height={280} />
      )}
    </>
  );
};

type LoadedProps = {
  readonly detail: Schema<'ProposalDetail'>;
  readonly inbox: Inbox;
  readonly place: DraftPlace;
};

const Loaded = ({ detail, inbox, place }: LoadedProps) => {
  const deciding = useDeciding(detail, inbox, place);
  const { accept, chooseWay, reject, openEditor } = deciding;
  // The keys decide about what the list says is selected, or else about this one.
  const ofSelection = inbox.hasSelection && deciding.edit === null ? inbox.decideSelected : null;
  const decision = ofSelection ?? { a: accept ?? chooseWay, r: reject };
  useInboxKeys(deciding.isPending ? {} : { ...decision, e: openEditor });
  return <ProposalDetail detail={detail} deciding={deciding} hasKeys={!inbox.hasSelection} />;
};
