import { Box, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { companyKeysQuery, connectionsQuery } from '../../api/credential-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Moment } from '../../components/moment.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useToday } from '../../components/use-today.ts';
import { describeSuccessor, nameKeys, type NamedKey } from './name-keys.ts';

type Agent = Schema<'Agent'>;

const shown = 5;

/** The active keys and connections of an agent, each with its last use. */
export const AgentCredentials = ({ agent }: { readonly agent: Agent }) => {
  const { companyId, id: agentId } = agent;
  const filter = { agentId, todayMs: useToday() };
  const keys = useInfiniteQuery(companyKeysQuery(companyId, filter));
  const connections = useInfiniteQuery(connectionsQuery(companyId, filter));
  return (
    <Stack gap="md">
      <div>
        <ListBody query={keys} empty={<None>No active keys.</None>}>
          {(items, hasMore) => (
            <Uses
              tab="keys"
              hasMore={hasMore}
              agent={agent}
              items={nameKeys(items).map((key) => ({ ...key, name: key.label, end: endOf(key) }))}
            />
          )}
        </ListBody>
      </div>
      <div>
        <ListBody query={connections} empty={<None>No active connections.</None>}>
          {(items, hasMore) => (
            <Uses
              tab="connections"
              hasMore={hasMore}
              agent={agent}
              items={items.map(({ id, client, lastUsedAt }) => ({
                id,
                name: client.name,
                lastUsedAt,
                end: null,
              }))}
            />
          )}
        </ListBody>
      </div>
    </Stack>
  );
};

/** Of a key that was replaced: by which one, and when it ends. */
const endOf = (key: NamedKey): React.ReactNode => {
  const successor = describeSuccessor(key);
  return successor === null ? null : (
    <>
      {successor}
      {key.expiresAt !== null && (
        <>
          , ends <RelativeTime at={key.expiresAt} />
        </>
      )}
    </>
  );
};

const None = ({ children }: { readonly children: React.ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

type UsesProps = {
  readonly tab: 'keys' | 'connections';
  readonly agent: Agent;
  /** The list goes on after the items. */
  readonly hasMore: boolean;
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly lastUsedAt: string | null;
    /** What ends it; null: nothing yet. */
    readonly end: React.ReactNode;
  }[];
};

const Uses = ({ tab, agent: { companyId, id: agentId }, items, hasMore }: UsesProps) => (
  <Stack gap={4}>
    {items.slice(0, shown).map(({ id, name, lastUsedAt, end }) => (
      <Group key={id} justify="space-between" align="flex-start" wrap="nowrap">
        <Box miw={0}>
          <Text size="sm" truncate>
            {name}
          </Text>
          {end !== null && (
            <Text size="sm" c="dimmed">
              {end}
            </Text>
          )}
        </Box>
        <Text size="sm" c="dimmed" style={{ flex: 'none' }}>
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <Moment at={lastUsedAt} />
            </>
          )}
        </Text>
      </Group>
    ))}
    {items.length > shown && (
      <Text size="sm" c="dimmed">
        {hasMore ? 'and more' : `and ${items.length - shown} more`}
      </Text>
    )}
    <TextLink
      to="/companies/$companyId/agents/$agentId"
      params={{ companyId, agentId }}
      search={{ tab }}
      size="sm"
    >
      {tab === 'keys' ? 'All keys' : 'All connections'}
    </TextLink>
  </Stack>
);
