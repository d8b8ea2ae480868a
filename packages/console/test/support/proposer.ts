import { bearer, createApi, type Api } from '@commonplace/e2e';
import { must } from '../../tools/must.ts';

type Proposal = { readonly id: string; readonly noteId: string };

type Replacement = readonly [find: string, by: string];

export type Proposer = {
  readonly id: string;
  /** Calls the API with a key whose writes become proposals. */
  readonly api: Api;
  readonly edit: (noteId: string, words: Replacement, reason?: string) => Promise<Proposal>;
  readonly create: (title: string, content: string) => Promise<Proposal>;
  /** The same with the token of a new run. */
  readonly inRun: () => Promise<{ readonly runId: string } & Pick<Proposer, 'edit' | 'create'>>;
};

/** Makes an agent that may only propose, everywhere. */
export const makeProposer = async (
  board: Api,
  {
    baseUrl,
    company,
    name,
  }: { readonly baseUrl: string; readonly company: string; readonly name: string },
): Promise<Proposer> => {
  const grants = [{ folder: '', scope: 'any', mode: 'propose' }];
  const id = String(
    (await must(board, `POST /api${company}/agents`, { name, role: 'editor', grants }))['id'],
  );
  const { key } = await must(board, `POST /api/agents/${id}/keys`, { name: 'editor' });
  const api = createApi({ baseUrl, headers: bearer(String(key)) });
  return {
    id,
    api,
    ...proposing(api),
    inRun: async () => {
      const { run, token } = (await must(api, `POST /api/agents/${id}/runs`, {
        ttlSeconds: 3600,
      })) as { readonly run: { readonly id: string }; readonly token: string };
      return { runId: run.id, ...proposing(createApi({ baseUrl, headers: bearer(token) })) };
    },
  };
};

const proposing = (api: Api): Pick<Proposer, 'edit' | 'create'> => {
  const propose = async (call: string, body: object): Promise<Proposal> =>
    ((await must(api, call, body)) as { readonly proposal: Proposal }).proposal;
  return {
    edit: (noteId, [find, by], reason) =>
      propose(`PATCH /api/notes/${noteId}`, {
        edits: [{ op: 'replace', find, with: by }],
        ...(reason === undefined ? {} : { reason }),
      }),
    create: (title, content) => propose('POST /api/notes', { title, content }),
  };
};
