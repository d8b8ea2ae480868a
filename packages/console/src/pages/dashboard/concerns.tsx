import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyQuery } from '../../api/company-queries.ts';
import { companyKeysQuery, connectionsQuery } from '../../api/credential-queries.ts';
import { unresolvedConflictsQuery } from '../../api/dashboard-queries.ts';
import { openProposalsQuery } from '../../api/open-proposals-query.ts';
import { instanceQuery } from '../../api/instance-queries.ts';
import { itemsOf } from '../../api/pages.ts';
import { latestRunsQuery } from '../../api/run-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { ConcernText } from './concern-text.tsx';
import { findConcerns, type Concern, type Expiring, type Known } from './find-concerns.ts';

type ConcernsProps = { readonly companyId: string; readonly todayMs: number };

const shownFirst = 8;

/** Findings take probes of every service; the page of the instance, which watches it, refreshes more often. */
const findingsMs = 60_000;

/** What needs a person, before anything else: what is wrong in red, and what soon will be. */
export const Concerns = ({ companyId, todayMs }: ConcernsProps) => {
  const known = useKnown(companyId, todayMs);
  const [isWhole, setIsWhole] = useState(false);
  const concerns = findConcerns(known, Date.now());
  const isLoading = known.agents === undefined || known.conflicts === undefined;
  const nameOf = (agentId: string): string =>
    known.agents?.find(({ id }) => id === agentId)?.name ?? 'an agent';
  const shown = isWhole ? concerns : concerns.slice(0, shownFirst);
  return (
    <Paper component="section" aria-label="Needs attention" className="panel" withBorder p="lg">
      <Title order={2} size="h3" mb="sm">
        Needs attention
      </Title>
      {concerns.length === 0 && (
        <Text c="dimmed" size="sm" role="status">
          {isLoading ? 'Looking…' : 'Nothing needs you now.'}
        </Text>
      )}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((concern) => (
          <Group key={keyOf(concern)} component="li" gap="sm" align="flex-start" wrap="nowrap">
            <Badge variant="light" color={concern.isWrong ? 'red' : 'orange'} miw={64}>
              {urgencyOf(concern)}
            </Badge>
            <Text
              size="sm"
              component="div"
              className="sentence"
              miw={0}
              style={{ overflowWrap: 'anywhere' }}
            >
              <ConcernText companyId={companyId} concern={concern} nameOf={nameOf} />
            </Text>
          </Group>
        ))}
      </Stack>
      {concerns.length > shown.length && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          Show {concerns.length - shown.length} more
        </Button>
      )}
    </Paper>
  );
};

/** What waits for a decision is neither wrong nor does it come about by itself. */
const urgencyOf = ({ kind, isWrong }: Concern): string => {
  if (isWrong) {
    return 'wrong';
  }
  return kind === 'conflict' || kind === 'proposals' ? 'waiting' : 'soon';
};

const useKnown = (companyId: string, todayMs: number): Known => {
  const can = useCan();
  const expiring = { show: 'expiring', todayMs } as const;
  const keys = useInfiniteQuery(companyKeysQuery(companyId, expiring)).data;
  const instance = useQuery({
    ...instanceQuery,
    enabled: can.administrate,
    refetchInterval: findingsMs,
  }).data;
  const connections = useInfiniteQuery(connectionsQuery(companyId, expiring)).data;
  return {
    company: useQuery(companyQuery(companyId)).data,
    agents: useQuery(allAgentsQuery(companyId)).data,
    failed: useQuery(latestRunsQuery(companyId, 'failed')).data?.items,
    conflicts: useQuery(unresolvedConflictsQuery(companyId)).data?.items,
    proposals: useQuery(openProposalsQuery(companyId)).data,
    expiring: [
      ...itemsOf(keys).flatMap((key) => toExpiring(key, key.name)),
      ...itemsOf(connections).flatMap((each) => toExpiring(each, each.client.name)),
    ],
    findings: instance?.findings,
    lastBackupAt: instance?.backup?.finishedAt,
  };
};

type Credential = Pick<Schema<'ApiKey'>, 'id' | 'agentId' | 'expiresAt'> & {
  readonly replacedBy?: string | null;
};

/** What a rotation replaced is meant to end. */
const toExpiring = (
  { id, agentId, expiresAt, replacedBy = null }: Credential,
  name: string,
): readonly Expiring[] =>
  expiresAt === null || replacedBy !== null ? [] : [{ id, name, agentId, expiresAt }];

const keyOf = (concern: Concern): string => {
  switch (concern.kind) {
    case 'budget':
      return `budget ${concern.agent?.id ?? 'company'}`;
    case 'failures':
      return `failures ${concern.agentId}`;
    case 'conflict':
      return `conflict ${concern.note.id}`;
    case 'proposals':
      return 'proposals';
    case 'expiry':
      return `expiry ${concern.credential.id}`;
    case 'backup':
      return 'backup';
    case 'finding':
      return `finding ${concern.finding.check}`;
  }
};
