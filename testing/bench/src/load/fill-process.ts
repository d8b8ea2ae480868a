import { createApi } from '@commonplace/e2e';
import { asChild } from '../child.ts';
import { largeText } from '../system/texts.ts';
import type { FillTask } from './tasks.ts';

/** Creates notes and gives each a second revision with another first line. */
asChild(async ({ url, headers, ids, atOnce, bytes }: FillTask) => {
  const api = createApi({ baseUrl: url, headers });
  const text = largeText(bytes);
  const push = async (part: readonly string[], baseRevision: number | null) => {
    const content = baseRevision === null ? text : `first line\n${text.slice(20)}`;
    const changes = part.map((id) => ({
      mutationId: `${id}.${baseRevision}`,
      id,
      op: 'put',
      baseRevision,
      note: { title: 'large', content },
    }));
    for (;;) {
      const response = await api('POST', '/api/sync', {
        body: { clientId: 'fill', limit: 1, changes },
      });
      if (response.status === 200) {
        return;
      }
      if (response.status !== 503) {
        throw new Error(`Filling got ${response.status}`);
      }
    }
  };
  for (let done = 0; done < ids.length; done += atOnce) {
    const part = ids.slice(done, done + atOnce);
    await push(part, null);
    await push(part, 1);
  }
  return ids.length;
});
