import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '@commonplace/e2e';

/** One that writes lines into notes until it is stopped, or until it is refused. */
export type Writer = {
  /** The lines that are stored, by note. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly stop: () => void;
  /** The status of the response that refused it; null means it was stopped. */
  readonly ended: Promise<number | null>;
};

/** Between two lines: the rest of the machine is for the others. */
const pauseMs = 5;

type Writing = {
  readonly name: string;
  readonly ids: readonly string[];
  /** The edit that writes a line, for the round over all notes. */
  readonly edit: (line: string, round: number) => object;
};

/** Writes a line of its own into one note after the other. A request without a response is repeated with the same key. */
export const startWriter = (api: Api, { name, ids, edit }: Writing): Writer => {
  const lines = new Map<string, string[]>();
  const stopping = new AbortController();
  const write = async (): Promise<number | null> => {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const id = ids[count % ids.length] ?? '';
      const line = `${name} wrote line ${count}`;
      const { status } = await persistently(api, id, {
        body: { edits: [edit(line, Math.floor(count / ids.length))] },
        headers: { 'idempotency-key': `${name}-${count}` },
      });
      if (status !== 200) {
        return status;
      }
      lines.set(id, [...(lines.get(id) ?? []), line]);
      await sleep(pauseMs);
    }
    return null;
  };
  const ended = write();
  return {
    lines,
    ended,
    stop: () => stopping.abort(),
  };
};

const persistently = async (api: Api, id: string, call: Parameters<Api>[2]) => {
  for (;;) {
    const response = await api('PATCH', `/api/notes/${id}`, call);
    if (![429, 503].includes(response.status)) {
      return response;
    }
    await sleep(100);
  }
};
