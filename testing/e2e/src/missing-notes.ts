import type { Api } from '../src/call-api.ts';

/** The notes that cannot be read, with the status of each. */
export const missingNotes = async (agent: Api, ids: readonly string[]): Promise<string[]> => {
  const missing: string[] = [];
  const waiting = [...ids];
  const reader = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const { status } = await agent('GET', `/api/notes/${id}`);
      if (status !== 200) {
        missing.push(`${id}: ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, reader));
  return missing;
};
