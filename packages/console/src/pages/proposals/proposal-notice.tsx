import { Alert, Group } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { proposalsOfNoteQuery } from '../../api/proposal-queries.ts';
import { ButtonLink } from '../../components/links.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

type ProposalNoticeProps = { readonly companyId: string; readonly noteId: string };

/** Says who proposes to change a note, and leads to the inbox. Nothing if nobody does. */
export const ProposalNotice = ({ companyId, noteId }: ProposalNoticeProps) => {
  const { data: proposals = [] } = useQuery(proposalsOfNoteQuery(companyId, noteId));
  return proposals.length === 0 ? null : (
    <Alert
      mb="md"
      role="status"
      title={
        proposals.length === 1
          ? 'A change of this note is proposed'
          : 'Changes of this note are proposed'
      }
    >
      {proposals.map((proposal) => (
        <Row key={proposal.id} proposal={proposal} />
      ))}
    </Alert>
  );
};

const Row = ({ proposal }: { readonly proposal: Schema<'Proposal'> }) => {
  const { id, companyId, author, createdAt, reason } = proposal;
  const name = nameOfAuthor(author);
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <span className="any-script">
        {name}, <RelativeTime at={createdAt} />
        {reason !== null && `: ${reason}`}
      </span>
      <ButtonLink
        to="/companies/$companyId/proposals"
        params={{ companyId }}
        search={{ proposal: id }}
        variant="default"
        size="xs"
        miw="max-content"
        aria-label={`Look at the proposal of ${name}`}
      >
        Look at it
      </ButtonLink>
    </Group>
  );
};
