import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { modals } from '../../components/modals.ts';
import { SelectField } from '../../components/select-field.tsx';
import { CreateKey } from '../agents/create-key.tsx';

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
  const { data = [] } = useQuery(allAgentsQuery(companyId));
  const agents = data.filter(({ status }) => status !== 'terminated');
  const [chosen, setChosen] = useState(agentId ?? null);
  const agent = agents.find(({ id }) => id === chosen);
  return (
    <Stack>
      <SelectField
        label="Agent"
        required
        searchable
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      {agent && <CreateKey key={agent.id} agent={agent} />}
    </Stack>
  );
};
