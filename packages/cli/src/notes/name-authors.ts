import { ProblemError, type ApiClient, type Schema } from '@commonplace/client';

type Author = Schema<'Author'>;

/** Agents whose names are looked up, one request each. */
const namedMax = 20;

/**
 * Names the authors of versions. An operator, and an agent that the caller may not read, is named by its kind and id, and so are
 * those beyond twenty. Who may not read one agent may read none.
 */
export const nameAuthors = async (
  api: ApiClient,
  authors: readonly Author[],
): Promise<(author: Author) => string> => {
  const agents = authors.flatMap(({ kind, id }) => (kind === 'agent' ? [id] : []));
  const names = new Map<string, string>();
  for (const agentId of [...new Set(agents)].slice(0, namedMax)) {
    const name = await readName(api, agentId);
    if (name === 'forbidden') {
      break;
    }
    if (name !== 'unknown') {
      names.set(agentId, name.text);
    }
  }
  return ({ kind, id }) => names.get(id) ?? `${kind} ${id}`;
};

const readName = async (
  api: ApiClient,
  agentId: string,
): Promise<{ readonly text: string } | 'forbidden' | 'unknown'> => {
  try {
    const { data } = await api.get('/api/agents/{agentId}', { params: { path: { agentId } } });
    return { text: data.name };
  } catch (error) {
    if (error instanceof ProblemError && [403, 404].includes(error.status)) {
      return error.status === 403 ? 'forbidden' : 'unknown';
    }
    throw error;
  }
};
