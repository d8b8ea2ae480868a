import type { Schema } from '@commonplace/client';
import { useAgentStatus } from '../../components/use-agent-status.ts';
import type { PaletteItem } from './palette-item.ts';
import type { AgentVerb, Verb } from './parse-command.ts';
import { useCan } from '../session/use-can.ts';

type Agent = Schema<'Agent'>;
type AgentItem = PaletteItem & { readonly verb: AgentVerb };

/** The actions on an agent that the palette offers, all or those of a verb. Viewers have none. */
export const useAgentActions = () => {
  const can = useCan();
  const { mutate: change } = useAgentStatus();
  return (agent: Agent, verb: Verb | null): readonly AgentItem[] => {
    if (!can.write || agent.status === 'terminated') {
      return [];
    }
    const toggle = agent.status === 'active' ? 'pause' : 'resume';
    const items: readonly AgentItem[] = [
      {
        verb: toggle,
        href: `${toggle} ${agent.id}`,
        label: `${toggle === 'pause' ? 'Pause' : 'Resume'} ${agent.name}`,
        run: () => change({ agent, verb: toggle }),
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
