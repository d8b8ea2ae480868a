import { Badge, Code, Group, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { PlainList } from '../../components/plain-list.tsx';
import { Panel } from '../../components/panel.tsx';

type Finding = Schema<'Finding'>;

const colours: Readonly<Record<Finding['state'], string>> = {
  ok: 'teal',
  warning: 'yellow',
  failure: 'red',
  skipped: 'gray',
};

/** What the doctor finds, as far as it can look from here. */
export const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <Panel title="Checks of the doctor">
    <PlainList gap="sm">
      {findings.map(({ check, state, detail, todo }) => (
        <Group key={check} component="li" gap="sm" align="flex-start" wrap="nowrap">
          <Badge variant="light" color={colours[state]} miw={84}>
            {state}
          </Badge>
          <Text size="sm" component="div" miw={0} style={{ overflowWrap: 'anywhere' }}>
            <b>{check}</b>: {detail}
            {todo !== undefined && <Text size="sm">{todo}</Text>}
          </Text>
        </Group>
      ))}
    </PlainList>
    <Text size="sm" c="dimmed">
      <Code>pnpm run doctor</Code> also checks the machine, the secrets, TLS and single sign-on,
      from the shell of the server.
    </Text>
  </Panel>
);
