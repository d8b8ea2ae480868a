/** A JSON-RPC message, as far as it matters for forwarding it. */
export type Message = {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** A message that expects a response. */
export type RequestMessage = Message & {
  readonly id: string | number;
  readonly method: string;
};

export const isRequest = (message: Message): message is RequestMessage =>
  typeof message.method === 'string' &&
  (typeof message.id === 'string' || typeof message.id === 'number');

/** Whether a value is a message; batches are taken apart before. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const versionField = 'io.modelcontextprotocol/protocolVersion';

/** The revision that a message names itself, from 2026-07-28 on; null means a client of an earlier one. */
export const revisionOf = ({ params }: Message): string | null => {
  const meta = params?.['_meta'];
  const revision = isMessage(meta)
    ? (meta as Readonly<Record<string, unknown>>)[versionField]
    : null;
  return typeof revision === 'string' ? revision : null;
};
