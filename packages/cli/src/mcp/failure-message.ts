import { revisionOf, type RequestMessage } from './message.ts';

/** Why a request has no response of the server. */
export type Failure = { readonly code: string; readonly detail: string; readonly next: string };

const internalError = -32_603;

/** The response to a request that failed. A failed tool is a result, because models read only those. */
export const failureMessage = (request: RequestMessage, failure: Failure): object => {
  const { id, method } = request;
  const text = `${failure.code}: ${failure.detail}`;
  if (method !== 'tools/call') {
    return { jsonrpc: '2.0', id, error: { code: internalError, message: text } };
  }
  const result = {
    content: [{ type: 'text', text: `${text}\nNext: ${failure.next}` }],
    isError: true,
    ...(revisionOf(request) === null ? {} : { resultType: 'complete' }),
  };
  return { jsonrpc: '2.0', id, result };
};

/** No result of the gateway, as in "did not respond: ECONNREFUSED". The address is named, because it may be the mistake. */
export const unavailable = (baseUrl: string, what: string): Failure => ({
  code: 'service_unavailable',
  detail: `The gateway at ${baseUrl} ${what}.`,
  next: 'Whether a write was applied is not known. Wait a minute, then read the note before you write again.',
});

export const noCredential: Failure = {
  code: 'invalid_token',
  detail: 'The file with the credential cannot be read, or holds none. Nothing was sent.',
  next: 'Report it to the operator; call again when the file is there.',
};

/** Variables that are missing or not valid; none of the texts has a secret. */
export const invalidConfiguration = (problems: readonly string[]): Failure => ({
  code: 'configuration',
  detail: `The variables of this server are not valid: ${problems.join('; ')}.`,
  next: 'Report it to the operator, who has to correct the configuration of this client.',
});

const correctArguments = 'Correct the arguments and call again.';

/**
 * The failure of a JSON-RPC error without an id: the gateway refused the body before it read which request it was. No client
 * would find its request by it. Null for any other message.
 */
export const refusalIn = (received: unknown): Failure | null => {
  const { id, error } = (received ?? {}) as {
    readonly id?: unknown;
    readonly error?: { code: number; message: string; data?: { code?: unknown } | null };
  };
  if (error === undefined || (id !== null && id !== undefined)) {
    return null;
  }
  const code = typeof error.data?.code === 'string' ? error.data.code : `json_rpc_${error.code}`;
  return { code, detail: error.message, next: correctArguments };
};

/** The failure that a problem document describes. */
export const failureOf = async (response: Response): Promise<Failure> => {
  const problem = (await response.json().catch(() => ({}))) as Partial<Record<string, unknown>>;
  const code = typeof problem['code'] === 'string' ? problem['code'] : `http_${response.status}`;
  const detail = typeof problem['detail'] === 'string' ? problem['detail'] : response.statusText;
  const next =
    response.status === 401
      ? 'The credential has ended: start a new run, or get a new key from the operator.'
      : correctArguments;
  return { code, detail, next };
};
