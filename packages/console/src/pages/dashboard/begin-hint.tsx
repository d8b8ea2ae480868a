import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconRocket } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { ButtonLink } from '../../components/links.tsx';

/** Leads from a company without agents to its first steps. */
export const BeginHint = ({ companyId }: { readonly companyId: string }) => {
  const { data: agents } = useQuery(allAgentsQuery(companyId));
  const can = useCan();
  return can.write && agents?.length === 0 ? (
    <Alert variant="light" icon={<IconRocket size={18} aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">This company has no agents yet.</Text>
        <ButtonLink to="/companies/$companyId/begin" params={{ companyId }} size="xs">
          Begin
        </ButtonLink>
      </Group>
    </Alert>
  ) : null;
};
