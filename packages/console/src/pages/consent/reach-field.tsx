import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import {
  describeGrants,
  grantsOf,
  readingChoiceOf,
  type GrantChoice,
} from '../agents/grant-choice.ts';
import { GrantFields } from '../agents/grant-fields.tsx';

type ReachFieldProps = {
  readonly companyId: string;
  /** The agent of the connection, unless it is new. */
  readonly agentId: string;
  readonly isReadOnly: boolean;
  readonly value: GrantChoice;
  readonly error: React.ReactNode;
  readonly onChange: (value: GrantChoice) => void;
};

/** The folders whose notes the app reaches, never more than its agent has. */
export const ReachField = ({ agentId, value, ...field }: ReachFieldProps) => {
  const { data: agents = [] } = useQuery({
    ...allAgentsQuery(field.companyId),
    enabled: field.companyId !== '',
  });
  const within = agents.find(({ id }) => id === agentId)?.grants ?? null;
  return (
    <>
      <GrantFields
        {...field}
        label="The app reaches"
        value={choiceFor(value, field)}
        within={within}
      />
      {within && <Text size="sm">Its agent reaches {describeGrants(within)}.</Text>}
    </>
  );
};

/** A choice as it counts: an app that does not write reads what was chosen to be changed. */
export const choiceFor = (
  choice: GrantChoice,
  { isReadOnly }: { readonly isReadOnly: boolean },
): GrantChoice => (isReadOnly ? readingChoiceOf(grantsOf(choice)) : choice);
