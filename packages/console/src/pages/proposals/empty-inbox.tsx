import { IconInbox } from '@tabler/icons-react';
import type { ProposalFilter } from '../../api/proposal-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';

/** The inbox without proposals, depending on its filter. */
export const EmptyInbox = ({ filter }: { readonly filter: ProposalFilter }) => {
  const companyId = useCompanyId();
  const { state, agentId, runId } = filter;
  return state !== 'open' || agentId !== undefined || runId !== undefined ? (
    <EmptyState icon={IconInbox} title="No matching proposals" />
  ) : (
    <EmptyState
      icon={IconInbox}
      title="No proposals to decide about"
      action={
        <ButtonLink to="/companies/$companyId/agents" params={{ companyId }} variant="default">
          Agents
        </ButtonLink>
      }
    >
      If an agent may only propose changes in a folder, what it writes there waits here for a
      decision.
    </EmptyState>
  );
};
