import { Alert, Group } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { proposalsOfNoteQuery } from '../../api/proposal-queries.ts';
import { ButtonLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

type ProposalNoticeProps = { readonly companyId: string; readonly noteId: string };

/** The open proposals for a note, with links to the inbox. Renders nothing if there are none. */
export const ProposalNotice = ({ companyId, noteId }: ProposalNoticeProps) => {
  const { data: proposals = [] } = useQuery(proposalsOfNoteQuery(companyId, noteId));
  return proposals.length === 0 ? null : (
    <Alert
      mb="md"
      role="status"
      title={
        proposals.length === 1
          ? 'A change to this note is proposed'
          : 'Changes to this note are proposed'
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
        <Name>{name}</Name>, <RelativeTime at={createdAt} />
        {reason !== null && `: ${reason}`}
      </span>
      <ButtonLink
        to="/companies/$companyId/proposals"
        params={{ companyId }}
        search={{ proposal: id }}
        variant="default"
        size="xs"
        miw="max-content"
        aria-label={`View the proposal of ${name}`}
      >
        View
      </ButtonLink>
    </Group>
  );
};
