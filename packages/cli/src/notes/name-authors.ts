import { ProblemError, type ApiClient, type Schema } from '@commonplace/client';

type Author = Schema<'Author'>;

/** Agents whose names are looked up, one request each, and as many operators. */
const namedMax = 20;

/**
 * Names the authors of versions. Agents do not see the members of a company, but with a change its author's name: that of an
 * operator is read there. An agent that the caller may not read is named by its kind and id, and so are those beyond twenty. Who
 * may not read one agent may read none.
 */
export const nameAuthors = async (
  api: ApiClient,
  authors: readonly Author[],
): Promise<(author: Author) => string> => {
  const names = new Map<string, string>();
  for (const agentId of idsOf(authors, 'agent')) {
    const name = await readName(api, agentId);
    if (name === 'forbidden') {
      break;
    }
    if (name !== 'unknown') {
      names.set(agentId, name.text);
    }
  }
  for (const operatorId of idsOf(authors, 'operator')) {
    const name = await readOperatorName(api, operatorId);
    if (name !== null) {
      names.set(operatorId, name);
    }
  }
  return ({ kind, id }) => names.get(id) ?? `${kind} ${id}`;
};

const idsOf = (authors: readonly Author[], wanted: Author['kind']): readonly string[] =>
  [...new Set(authors.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])))].slice(0, namedMax);

/** The name with the last change of an operator; null: the API does not say it. */
const readOperatorName = async (api: ApiClient, author: string): Promise<string | null> => {
  const params = { query: { author, limit: 1 } };
  const { data } = await api.get('/api/notes/activity', { params });
  return data.items[0]?.author.name ?? null;
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
