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

export const unavailable: Failure = {
  code: 'service_unavailable',
  detail: 'The gateway did not respond. Whether a write was applied is not known.',
  next: 'Wait a minute, then read the note before you write again.',
};

export const noCredential: Failure = {
  code: 'invalid_token',
  detail: 'The file with the credential cannot be read, or holds none. Nothing was sent.',
  next: 'Report it to the operator; call again when the file is there.',
};

/** The failure that a problem document describes. */
export const failureOf = async (response: Response): Promise<Failure> => {
  const problem = (await response.json().catch(() => ({}))) as Partial<Record<string, unknown>>;
  const code = typeof problem['code'] === 'string' ? problem['code'] : `http_${response.status}`;
  const detail = typeof problem['detail'] === 'string' ? problem['detail'] : response.statusText;
  const next =
    response.status === 401
      ? 'The credential has ended: start a new run, or get a new key from the operator.'
      : 'Correct the arguments and call again.';
  return { code, detail, next };
};
