import { Loader, Group, Stack, Tabs, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { latestNoteOfQuery } from '../../api/note-queries.ts';
import { Copyable } from '../../components/copyable.tsx';
import { TextLink } from '../../components/links.tsx';
import { Name } from '../../components/name.tsx';
import { useLiveNotes } from '../notes/use-live-notes.ts';
import { Step } from './step.tsx';
import { unknownKey, waysIn } from './ways-in.ts';
import { titleText } from '../../components/title-text.ts';

type Agent = Schema<'Agent'>;

type FirstNoteStepProps = { readonly agent: Agent | null; readonly createdKey: string | null };

/** The three ways in, and the note when it arrives. */
export const FirstNoteStep = ({ agent, createdKey }: FirstNoteStepProps) =>
  agent === null ? (
    <Step number={4} title="Write the first note" isDone={false}>
      <Text size="sm" c="dimmed">
        With its key the agent writes through HTTP, MCP or the command line.
      </Text>
    </Step>
  ) : (
    <FirstNoteOf agent={agent} apiKey={createdKey ?? unknownKey} />
  );

const FirstNoteOf = ({ agent, apiKey }: { readonly agent: Agent; readonly apiKey: string }) => {
  const { companyId, id, name } = agent;
  useLiveNotes(companyId);
  const { data: note = null } = useQuery(latestNoteOfQuery(companyId, id));
  return (
    <Step number={4} title={note ? 'First note' : 'Write the first note'} isDone={note !== null}>
      <Stack gap="md">
        <Arrival name={name} note={note} />
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List mb="sm">
            {waysIn({ origin: location.origin, key: apiKey }).map((way) => (
              <Tabs.Tab key={way.name} value={way.name}>
                {way.name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {waysIn({ origin: location.origin, key: apiKey }).map((way) => (
            <Tabs.Panel key={way.name} value={way.name}>
              <Stack gap="sm">
                <Text size="sm">{way.hint}</Text>
                {way.snippets.map(({ label, text }) => (
                  <Copyable key={label} label={label} text={text} />
                ))}
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Step>
  );
};

type ArrivalProps = { readonly name: string; readonly note: Schema<'ListedNote'> | null };

const Arrival = ({ name, note }: ArrivalProps) => (
  <Group gap="xs" role="status">
    {note ? (
      <Text size="sm">
        <Name>{name}</Name>
        {' wrote '}
        <TextLink
          to="/companies/$companyId/notes/$noteId"
          params={{ companyId: note.companyId, noteId: note.id }}
          fw={600}
          size="sm"
        >
          {titleText(note.title)}
        </TextLink>
      </Text>
    ) : (
      <>
        <Loader size={16} aria-hidden />
        <Text size="sm" c="dimmed">
          {'Waiting for a note of '}
          <Name>{name}</Name>
          {'. It appears here.'}
        </Text>
      </>
    )}
  </Group>
);
