import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { pauseConfirmed } from '../../components/pause-agent.tsx';
import type { PaletteItem } from './palette-item.ts';
import type { AgentVerb, Verb } from './parse-command.ts';
import { useCan } from '../session/use-can.ts';

type Agent = Schema<'Agent'>;

const resume = async ({ id: agentId, name }: Agent): Promise<string> => {
  await api.post('/api/agents/{agentId}/resume', { params: { path: { agentId } } });
  return `${name} resumed.`;
};

/** The actions on an agent that the palette offers, all or those of a verb. Viewers have none. */
export const useAgentActions = () => {
  const can = useCan();
  const client = useQueryClient();
  const change = async (agent: Agent, verb: 'pause' | 'resume'): Promise<void> => {
    try {
      const message = await (verb === 'pause' ? pauseConfirmed(agent) : resume(agent));
      if (message !== null) {
        notifications.show({ message });
      }
      await client.invalidateQueries({ queryKey: keys.company(agent.companyId) });
    } catch (error) {
      notifications.show({ color: 'red', message: `${agent.name}: ${detailOf(error)}` });
    }
  };
  return (agent: Agent, verb: Verb | null): readonly PaletteItem[] => {
    if (!can.write || agent.status === 'terminated') {
      return [];
    }
    const toggle = agent.status === 'active' ? 'pause' : 'resume';
    const items: readonly (PaletteItem & { readonly verb: AgentVerb })[] = [
      {
        verb: toggle,
        href: `${toggle} ${agent.id}`,
        label: `${toggle === 'pause' ? 'Pause' : 'Resume'} ${agent.name}`,
        run: () => void change(agent, toggle),
      },
      {
        verb: 'new key',
        href: `/companies/${agent.companyId}/agents/${agent.id}?tab=keys&open=new-key`,
        label: `New key for ${agent.name}`,
      },
      {
        verb: 'undo',
        href: `/companies/${agent.companyId}/agents/${agent.id}?open=undo`,
        label: `Undo what ${agent.name} wrote`,
      },
    ];
    return items.filter((item) => verb === null || item.verb === verb);
  };
};
