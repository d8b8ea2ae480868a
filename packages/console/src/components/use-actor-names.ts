import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../api/agent-queries.ts';
import { allMembersQuery } from '../api/company-queries.ts';
import { useCompanyId } from '../api/use-company-id.ts';

/** Who did something. */
export type Actor = { readonly kind: string; readonly id: string };

/** The names of the agents and members of the company, and what an actor is called. */
export type ActorNames = {
  readonly agents: readonly (readonly [id: string, name: string])[];
  readonly members: readonly (readonly [id: string, name: string])[];
  /** Its kind if it is not in the company any more. */
  readonly nameOf: (actor: Actor) => string;
};

/** The names of actors of the company in the address. */
export const useActorNames = (): ActorNames => useActorNamesOf(useCompanyId());

/**
 * The names of actors of a company; stable until agents or members change. Anybody may have chosen the name of an account whose email
 * is not verified, so it is marked, as the API marks authors.
 */
export const useActorNamesOf = (companyId: string): ActorNames => {
  const { data: agents } = useQuery(allAgentsQuery(companyId));
  const { data: members } = useQuery(allMembersQuery(companyId));
  return namesOf(agents, members);
};

type Agents = readonly Schema<'Agent'>[] | undefined;
type Members = readonly Schema<'Member'>[] | undefined;

let latest: { readonly agents: Agents; readonly members: Members; readonly names: ActorNames } = {
  agents: undefined,
  members: undefined,
  names: { agents: [], members: [], nameOf: ({ kind }) => `an ${kind}` },
};

/** Made once for all components: every row of a history has an author, and a company thousands of agents. */
const namesOf = (agents: Agents, members: Members): ActorNames => {
  if (latest.agents !== agents || latest.members !== members) {
    latest = { agents, members, names: createNames(agents, members) };
  }
  return latest.names;
};

const createNames = (agents: Agents, members: Members): ActorNames => {
  const agentNames = (agents ?? []).map(({ id, name }) => [id, name] as const);
  const memberNames = (members ?? []).map(
    ({ operatorId, name, emailVerified }) =>
      [operatorId, emailVerified === false ? `${name} (unverified)` : name] as const,
  );
  const byId = new Map<string, string>([...memberNames, ...agentNames]);
  return {
    agents: agentNames,
    members: memberNames,
    nameOf: ({ kind, id }) => byId.get(id) ?? `an ${kind}`,
  };
};
