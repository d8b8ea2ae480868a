import type { Schema } from '@commonplace/client';
import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useCan } from '../../app/session/use-can.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { useAgentStatus } from '../../components/use-agent-status.ts';

type PauseButtonProps = {
  /** Undefined: not loaded. */
  readonly agent: Schema<'Agent'> | undefined;
  /** An icon in a row; elsewhere a button with a text. */
  readonly isInRow?: boolean;
};

/** Pauses the agent of which something is shown; nothing if it is not active, and for viewers. */
export const PauseButton = ({ agent, isInRow = false }: PauseButtonProps) => {
  const can = useCan();
  const { isPending, mutate } = useAgentStatus();
  if (!can.write || agent?.status !== 'active') {
    return null;
  }
  const pause = (): void => mutate({ agent, verb: 'pause' });
  return isInRow ? (
    <IconButton
      label={`Pause ${agent.name}`}
      icon={IconPlayerPause}
      isLoading={isPending}
      onClick={pause}
    />
  ) : (
    <Button variant="default" loading={isPending} onClick={pause}>
      Pause agent
    </Button>
  );
};
