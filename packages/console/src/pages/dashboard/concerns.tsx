import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { serverClock } from '../../api/server-clock.ts';
import { PlainList } from '../../components/plain-list.tsx';
import { ConcernText } from './concern-text.tsx';
import classes from './concerns.module.css';
import { chooseConcerns, findConcerns, type Concern } from './find-concerns.ts';
import { useKnown } from './use-known.ts';

type ConcernsProps = { readonly companyId: string; readonly todayMs: number };

const shownFirst = 8;

/** What needs a person, before anything else: what is wrong in red, and what soon will be. */
export const Concerns = ({ companyId, todayMs }: ConcernsProps) => {
  const { known, missing, isSettled } = useKnown(companyId, todayMs);
  const [isWhole, setIsWhole] = useState(false);
  const concerns = findConcerns(known, serverClock.nowMs());
  const nameOf = (agentId: string): string =>
    known.agents?.find(({ id }) => id === agentId)?.name ?? 'an agent';
  const shown = isWhole ? concerns : chooseConcerns(concerns, shownFirst);
  return (
    <Paper component="section" aria-label="Needs attention" className="panel" withBorder p="lg">
      <Title order={2} size="h3" mb="sm">
        Needs attention
      </Title>
      {concerns.length === 0 && (
        <Text c="dimmed" size="sm" role="status">
          {isSettled ? settledText(missing) : 'Looking…'}
        </Text>
      )}
      <PlainList>
        {shown.map((concern) => (
          <Group key={keyOf(concern)} component="li" gap="sm" align="flex-start" wrap="nowrap">
            <Badge variant="light" color={concern.isWrong ? 'red' : 'orange'} miw={64}>
              {urgencyOf(concern)}
            </Badge>
            <Text size="sm" component="div" className={`sentence ${classes['text']}`}>
              <ConcernText companyId={companyId} concern={concern} nameOf={nameOf} />
            </Text>
          </Group>
        ))}
      </PlainList>
      {concerns.length > shown.length && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          Show {concerns.length - shown.length} more
        </Button>
      )}
      {concerns.length > 0 && isSettled && missing.length > 0 && (
        <Text c="dimmed" size="sm" role="status" mt="sm">
          {settledText(missing)}
        </Text>
      )}
    </Paper>
  );
};

const list = new Intl.ListFormat('en');

const settledText = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'Nothing needs you now.'
    : `Not everything could be looked at: ${list.format(missing)} could not be loaded.`;

/** What waits for a decision is neither wrong nor does it come about by itself. */
const urgencyOf = ({ kind, isWrong }: Concern): string => {
  if (isWrong) {
    return 'wrong';
  }
  return kind === 'conflict' || kind === 'proposals' ? 'waiting' : 'soon';
};

const keyOf = (concern: Concern): string => {
  switch (concern.kind) {
    case 'budget':
      return `budget ${concern.agent?.id ?? 'company'}`;
    case 'failures':
      return 'failures';
    case 'conflict':
      return `conflict ${concern.note.id}`;
    case 'proposals':
      return 'proposals';
    case 'expiry':
    case 'expired':
      return `${concern.kind} ${concern.credential.id}`;
    case 'backup':
      return 'backup';
    case 'finding':
      return `finding ${concern.finding.check}`;
  }
};
