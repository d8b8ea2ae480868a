import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { dayOf, startOfDay } from '../../api/days.ts';
import { keys } from '../../api/query-keys.ts';
import { pauseAgent, requestUndo, undoNotesMax, type UndoSource } from '../../api/undo-queries.ts';
import { countNotes } from '../../components/count-notes.ts';
import { DayField } from '../../components/day-field.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { allNotes, countChosen, type ChosenNotes } from './chosen-notes.ts';
import { listChosen } from './list-chosen.ts';
import { UndoPreview } from './undo-preview.tsx';
import { UndoProgress } from './undo-progress.tsx';

type UndoDialogProps = {
  readonly companyId: string;
  readonly agentId: string;
  readonly source: UndoSource;
  /** Whether the source has ended, so that only the agent is left to pause. */
  readonly isEnded?: boolean;
  /** An undo that was begun already; null: none. */
  readonly undoId?: string | null;
  /** Called with the id of the undo when it begins. */
  readonly onStart?: (undoId: string) => void;
  readonly onDone: () => void;
};

/** Pauses the agent, shows by a dry run what an undo would do, then does what is selected. */
export const UndoDialog = ({ isEnded = false, ...props }: UndoDialogProps) => {
  const { companyId, agentId, source, onStart, onDone } = props;
  const [isPausing, setPausing] = useState(true);
  const [day, setDay] = useState<string | undefined>(() => dayOf(new Date()));
  const [undoId, setUndoId] = useState(props.undoId ?? null);
  const isOfAgent = source.agentId !== undefined;
  const whole = isOfAgent ? { ...source, since: startOfDay(day ?? dayOf(new Date())) } : source;
  const { data: agents } = useQuery(allAgentsQuery(companyId));
  const status = agents?.find(({ id }) => id === agentId)?.status ?? 'active';
  const isPausedNow = isPausing && status === 'active';
  const dryRun = useDryRun({ companyId, agentId, source: whole, isPausedNow });
  if (undoId !== null) {
    return <UndoProgress companyId={companyId} undoId={undoId} onDone={onDone} />;
  }
  if (dryRun.data !== undefined) {
    return (
      <Selection
        companyId={companyId}
        source={{ ...whole, pause: isPausing }}
        dryRunId={dryRun.data}
        onStart={(id) => {
          setUndoId(id);
          onStart?.(id);
        }}
        onCancel={onDone}
      />
    );
  }
  return (
    <Stack>
      <About />
      {isOfAgent && <DayField label="Everything it wrote since" day={day} onChange={setDay} />}
      <PauseChoice status={status} isPausing={isPausing} onChoose={setPausing} />
      {dryRun.isError && <ErrorAlert error={dryRun.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          // Without a choice, it stops nothing.
          data-autofocus={status === 'active' || isOfAgent ? undefined : true}
          loading={dryRun.isPending}
          onClick={() => dryRun.mutate()}
        >
          {isPausedNow ? `${isEnded ? 'Pause' : 'Stop'} it and show the notes` : 'Show the notes'}
        </Button>
      </Group>
    </Stack>
  );
};

const About = () => (
  <Text size="sm">
    Takes its changes out of every note, the newest first. What others wrote stays, and every
    version is kept in the history. Its open proposals are rejected. No note and no proposal is
    changed before you have seen what.
  </Text>
);

type PauseChoiceProps = {
  readonly status: Schema<'Agent'>['status'];
  readonly isPausing: boolean;
  readonly onChoose: (isPausing: boolean) => void;
};

/** An agent that writes nothing as it is has no choice. */
const PauseChoice = ({ status, isPausing, onChoose }: PauseChoiceProps) =>
  status === 'active' ? (
    <Checkbox
      label="Pause the agent first: its runs end, and its keys can only read"
      description="It is paused when you go on, so that it writes nothing while you look, and until it is resumed. Otherwise looking changes nothing."
      checked={isPausing}
      onChange={({ currentTarget: { checked } }) => onChoose(checked)}
    />
  ) : (
    <Text size="sm">
      {status === 'paused'
        ? 'The agent is paused: it writes nothing until it is resumed.'
        : 'The agent is terminated: it writes nothing any more.'}
    </Text>
  );

type Wanted = Pick<UndoDialogProps, 'companyId' | 'agentId' | 'source'> & {
  readonly isPausedNow: boolean;
};

/** Pauses the agent if that is wanted, and orders a dry run. */
const useDryRun = ({ companyId, agentId, source, isPausedNow }: Wanted) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (isPausedNow) {
        await pauseAgent(companyId, agentId);
      }
      return requestUndo(companyId, { ...source, dryRun: true });
    },
    // Also a request whose response was lost may have paused it.
    onSettled: () => void client.invalidateQueries({ queryKey: keys.agents(companyId) }),
  });
};

type SelectionProps = {
  readonly companyId: string;
  readonly source: UndoSource & { readonly pause: boolean };
  readonly dryRunId: string;
  readonly onStart: (undoId: string) => void;
  readonly onCancel: () => void;
};

const Selection = ({ companyId, source, dryRunId, onStart, onCancel }: SelectionProps) => {
  const [chosen, setChosen] = useState(allNotes);
  const isWhole = chosen.isAllBut && chosen.ids.size === 0;
  const [counts, setCounts] = useState<Counts | null>(null);
  const onCount = useCallback(
    (notes: number, proposals: number) => setCounts({ notes, proposals }),
    [],
  );
  const start = useStart({ companyId, source, dryRunId, chosen, isWhole, onStart });
  const left = counts && { ...counts, notes: countChosen(chosen, counts.notes) };
  const isTooLong = left !== null && !isWhole && left.notes > undoNotesMax;
  return (
    <Stack>
      <UndoPreview
        companyId={companyId}
        undoId={dryRunId}
        chosen={chosen}
        onChoose={setChosen}
        onCount={onCount}
      />
      {!source.pause && (
        <Text size="sm">
          The agent may go on writing. Where you leave notes out, those that it writes meanwhile are
          not undone either.
        </Text>
      )}
      {isTooLong && (
        <Text size="sm" role="status">
          {`Where notes are left out, at most ${undoNotesMax.toLocaleString('en')} notes are undone at once. Leave none out, or more.`}
        </Text>
      )}
      {start.isError && <ErrorAlert error={start.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          color="red"
          disabled={left === null || isTooLong || !hasWork(left, isWhole)}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {left === null ? 'Undo' : describeWork(left)}
        </Button>
      </Group>
    </Stack>
  );
};

type Start = Pick<SelectionProps, 'companyId' | 'source' | 'dryRunId' | 'onStart'> & {
  readonly chosen: ChosenNotes;
  readonly isWhole: boolean;
};

/** Orders the undo. The request of a part lists its notes. */
const useStart = ({ companyId, source, dryRunId, chosen, isWhole, onStart }: Start) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const part = isWhole
        ? {}
        : { noteIds: await listChosen(client, chosen, { companyId, dryRunId }) };
      return requestUndo(companyId, { ...source, ...part });
    },
    onSuccess: onStart,
  });
};

/** Notes that will change, and proposals that will be withdrawn. */
type Counts = { readonly notes: number; readonly proposals: number };

/** If notes are left out, the request lists the others, and that list cannot be empty. */
const hasWork = ({ notes, proposals }: Counts, isWhole: boolean): boolean =>
  notes > 0 || (proposals > 0 && isWhole);

const describeWork = ({ notes, proposals }: Counts): string => {
  const ofNotes = `Undo ${countNotes(notes)}`;
  const ofProposals = `withdraw ${proposals} ${proposals === 1 ? 'proposal' : 'proposals'}`;
  if (proposals === 0) {
    return ofNotes;
  }
  return notes === 0
    ? `${ofProposals.charAt(0).toUpperCase()}${ofProposals.slice(1)}`
    : `${ofNotes}, ${ofProposals}`;
};
