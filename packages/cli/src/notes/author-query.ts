import type { ApiClient } from '@commonplace/client';

/** The flag of commands that list notes by who changed them last. */
export const authorFlag = {
  author: {
    type: 'string',
    value: '<id>',
    about: 'last changed by this agent or operator; me: by yourself',
  },
} as const;

/** The filter of the flag; `me` is the agent of the credential. */
export const authorQuery = async (
  api: ApiClient,
  author: string | undefined,
): Promise<{ readonly author?: string }> => {
  if (author !== 'me') {
    return author === undefined ? {} : { author };
  }
  const { data } = await api.get('/api/agents/me');
  return { author: data.id };
};
