import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useCompanyId } from '../../api/use-company-id.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { NameLink, TextLink } from '../../components/links.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { DraftsOfTabs } from '../notes/editor/left-drafts.tsx';
import { DraftOfProposal } from './draft-of-proposal.tsx';
import { EditProposal } from './edit-proposal.tsx';
import { OverlapChoice } from './overlap-choice.tsx';
import { ProposalActions } from './proposal-actions.tsx';
import { ProposalChanges } from './proposal-changes.tsx';
import { titleOf } from './proposal-words.ts';
import classes from './proposals.module.css';
import type { Comparison } from './use-comparison.ts';
import type { Deciding } from './use-deciding.ts';

type ProposalDetailProps = {
  readonly detail: Schema<'ProposalDetail'>;
  readonly deciding: Deciding;
  /** Keys decide about this proposal: nothing is selected. */
  readonly hasKeys: boolean;
};

/** One proposal: who proposes what and why, how the note would change, and the decision. */
export const ProposalDetail = ({ detail, deciding, hasKeys }: ProposalDetailProps) => (
  <Paper component="article" className="panel" withBorder p="md" aria-label={titleOf(detail)}>
    <Stack gap="md">
      <DetailHeader detail={detail} />
      <ProposalActions deciding={deciding} hasKeys={hasKeys} />
      {deciding.error !== null && deciding.edit === null && <ErrorAlert error={deciding.error} />}
      <DraftsOfTabs drafts={deciding.draftsOfTabs} />
      <DraftOfProposal deciding={deciding} revision={detail.current?.revision ?? null} />
      <Body detail={detail} deciding={deciding} />
    </Stack>
  </Paper>
);

const DetailHeader = ({ detail }: Pick<ProposalDetailProps, 'detail'>) => {
  const { companyId, noteId, author, createdAt, state, note, proposalOf, reason } = detail;
  const title = titleOf(detail);
  return (
    <Stack gap={4}>
      <Title order={2} size="h3" className="any-script">
        {note && !note.deleted ? (
          <TextLink to="/companies/$companyId/notes/$noteId" params={{ companyId, noteId }} inherit>
            {title}
          </TextLink>
        ) : (
          title
        )}{' '}
        {state !== 'open' && <StatusBadge status={state} />}
      </Title>
      <FolderLink companyId={companyId} folder={note?.folder ?? detail.folder} />
      <Text size="sm" c="dimmed">
        {proposalOf === null ? 'A new note' : 'A change'}, proposed by{' '}
        <NameLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId: author.id }}
          name={nameOfAuthor(author)}
        />{' '}
        <RelativeTime at={createdAt} />
        {author.runId !== undefined && (
          <>
            {' '}
            in{' '}
            <TextLink
              to="/companies/$companyId/runs/$runId"
              params={{ companyId, runId: author.runId }}
              title={author.runId}
            >
              run{' '}
              <Text span inherit ff="monospace">
                {author.runId.slice(-8)}
              </Text>
            </TextLink>
          </>
        )}
      </Text>
      {reason !== null && (
        <Text component="blockquote" className={`any-script ${classes['reason']}`}>
          {reason}
        </Text>
      )}
      <Decision detail={detail} />
    </Stack>
  );
};

type FolderLinkProps = { readonly companyId: string; readonly folder: string };

const FolderLink = ({ companyId, folder }: FolderLinkProps) =>
  folder === '' ? null : (
    <div>
      <TextLink
        to="/companies/$companyId/notes"
        params={{ companyId }}
        search={{ folder }}
        size="sm"
        c="dimmed"
        className="any-script"
      >
        {folder}
      </TextLink>
    </div>
  );

/** The outcome of a proposal, or when it expires. */
const Decision = ({ detail }: Pick<ProposalDetailProps, 'detail'>) => {
  const companyId = useCompanyId();
  const { state, decidedBy, decidedAt, decisionReason, revision, supersededBy, expiresAt } = detail;
  if (state === 'open') {
    return (
      <Text size="sm" c="dimmed">
        It expires <RelativeTime at={expiresAt} /> unless someone decides.
      </Text>
    );
  }
  return (
    <Text size="sm" className="any-script">
      {state === 'superseded' ? 'Replaced by ' : wordOf(state)}
      {supersededBy !== null && (
        <TextLink
          to="/companies/$companyId/proposals"
          params={{ companyId }}
          search={(search: object) => ({ ...search, proposal: supersededBy })}
        >
          a later proposal of the same agent
        </TextLink>
      )}
      {decidedBy && ` by ${nameOfAuthor(decidedBy)}`}
      {decidedAt !== null && (
        <>
          {' '}
          <RelativeTime at={decidedAt} />
        </>
      )}
      {revision !== null && `, as revision ${revision}`}
      {decisionReason !== null && `: ${decisionReason}`}
    </Text>
  );
};

const wordOf = (state: Schema<'ProposalState'>): string =>
  state === 'expired'
    ? 'Expired without a decision'
    : `${state.charAt(0).toUpperCase()}${state.slice(1)}`;

const Body = ({ detail, deciding }: Omit<ProposalDetailProps, 'hasKeys'>) => {
  const { comparison, edit, isPending, error } = deciding;
  if (edit !== null) {
    return (
      <EditProposal
        start={edit}
        draftKey={deciding.draftKey}
        error={error}
        isPending={isPending}
        onAccept={deciding.acceptText}
        onCancel={deciding.cancelEdit}
      />
    );
  }
  return comparison === null ? (
    <SectionSkeleton height={200} />
  ) : (
    <Compared detail={detail} deciding={deciding} comparison={comparison} />
  );
};

type ComparedProps = Omit<ProposalDetailProps, 'hasKeys'> & { readonly comparison: Comparison };

const Compared = ({ detail, deciding, comparison }: ComparedProps) => {
  if (comparison.kind === 'gone') {
    return (
      <Text size="sm" c="dimmed">
        The text of this proposal is no longer stored.
      </Text>
    );
  }
  if (comparison.kind === 'overlap') {
    const { current } = detail;
    return (
      current && (
        <OverlapChoice
          current={current}
          comparison={comparison}
          combining={deciding.combining}
          mayDecide={deciding.mayDecide}
          isPending={deciding.isPending}
          onAccept={(content) => deciding.acceptText(content, current)}
          onMerge={() => deciding.acceptText(comparison.after.content, null)}
          onEdit={deciding.startEdit}
        />
      )
    );
  }
  return (
    <>
      {comparison.kind === 'deleted' && (
        <Alert color="orange" role="status" title="The note has been deleted">
          To accept the proposal, restore the note from its history first. Otherwise reject it.
        </Alert>
      )}
      {comparison.kind === 'change' && comparison.isMerged && (
        <Text size="sm" role="status">
          The note has changed since. Those changes are kept; below is what this proposal adds.
        </Text>
      )}
      <ProposalChanges comparison={comparison} />
    </>
  );
};
