import { Button, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { modals } from '../../components/modals.ts';
import { SelectField } from '../../components/select-field.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { CreateKey } from '../agents/create-key.tsx';

type Agent = Schema<'Agent'>;

type NewKeyProps = {
  readonly companyId: string;
  /** The agent that the page is filtered by. */
  readonly agentId: string | undefined;
};

/** Opens the dialog that makes an API key for one of the agents. */
export const NewKeyButton = (props: NewKeyProps) => (
  <Button
    leftSection={<IconPlus size={16} aria-hidden />}
    onClick={() => modals.open({ title: 'New key', size: 'lg', children: <NewKey {...props} /> })}
  >
    New key
  </Button>
);

const NewKey = ({ companyId, agentId }: NewKeyProps) => {
  const query = useQuery(allAgentsQuery(companyId));
  const active = query.data?.filter(({ status }) => status !== 'terminated');
  const [chosen, setChosen] = useState(agentId ?? null);
  const [held, setHeld] = useState<Agent | null>(null);
  const agent = held ?? active?.find(({ id }) => id === chosen);
  // The key is shown once: from its request on neither another choice nor a reload takes it away.
  const choices = held ? [held] : active;
  if (choices === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <SectionSkeleton />
    );
  }
  return choices.length === 0 ? (
    <Text>A key belongs to an agent, and there is none yet. Create an agent first.</Text>
  ) : (
    <Stack>
      <SelectField
        label="Agent"
        required
        searchable
        disabled={held !== null}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      {agent && (
        <CreateKey
          key={agent.id}
          agent={agent}
          onRequested={() => setHeld(agent)}
          onFailed={() => setHeld(null)}
        />
      )}
    </Stack>
  );
};
