import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { proposalsOfRunQuery } from '../../api/proposal-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { describeProposed } from './describe-proposed.ts';

type RunProposalsProps = { readonly companyId: string; readonly runId: string };

/**
 * How many changes a run proposed and what became of them, with a link to them; nothing where there
 * are none.
 */
export const RunProposals = ({ companyId, runId }: RunProposalsProps) => {
  const { data } = useQuery(proposalsOfRunQuery(companyId, runId));
  if (data === undefined || data.states.length === 0) {
    return null;
  }
  return (
    <Text size="sm">
      <TextLink
        to="/companies/$companyId/proposals"
        params={{ companyId }}
        search={{ state: 'all', run: runId }}
      >
        {describeProposed(data)}
      </TextLink>
    </Text>
  );
};
