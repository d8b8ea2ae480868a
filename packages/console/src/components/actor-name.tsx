import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../api/agent-queries.ts';
import { membersQuery } from '../api/company-queries.ts';
import { itemsOf } from '../api/pages.ts';
import { useCompanyId } from '../api/use-company-id.ts';

type ActorNameProps = { readonly actor: { readonly kind: string; readonly id: string } };

/**
 * The name of an actor, or its kind if it is not in the company any more. Anybody may have chosen the name of an account whose
 * e-mail nobody proved, so it is marked, as the API marks authors.
 */
export const ActorName = ({ actor: { kind, id } }: ActorNameProps) => {
  const companyId = useCompanyId();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const members = itemsOf(useInfiniteQuery(membersQuery(companyId)).data);
  if (kind === 'agent') {
    return agents.find((agent) => agent.id === id)?.name ?? 'an agent';
  }
  const member = members.find(({ operatorId }) => operatorId === id);
  const mark = member?.emailVerified === false ? ' (unverified)' : '';
  return member ? `${member.name}${mark}` : `an ${kind}`;
};
