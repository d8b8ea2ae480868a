import {
  errorCodes,
  type AppError,
  type ErrorCode,
  type ErrorShape,
} from '@commonplace/contracts/core';
import { problemResponse, type ProblemResponse } from './problem.ts';

/** The response for an error in the shape that the protocol of its route defines; by default a problem. */
export const errorResponse = (
  error: AppError,
  requestId: string,
  shape?: ErrorShape,
): ProblemResponse => {
  const problem = problemResponse(error, requestId);
  const body = shape === undefined ? null : bodyOf[shape](error, requestId);
  return body === null
    ? problem
    : {
        ...problem,
        headers: { ...problem.headers, 'Content-Type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
      };
};

/** The codes of JSON-RPC 2.0 for what is wrong with a message, and the one of MCP for what HTTP says of its body. */
const rpcCodes: Readonly<Partial<Record<ErrorCode, number>>> = {
  malformed_json: -32_700,
  validation_failed: -32_600,
  malformed_header: -32_600,
  body_too_large: -32_000,
  unsupported_media_type: -32_000,
};

/** Null for an error that no message caused: access, limits and failures are those of HTTP, and problems. */
const rpcBody = (error: AppError, requestId: string): object | null => {
  const { code: name, errors } = error;
  const code = rpcCodes[name];
  return code === undefined
    ? null
    : {
        jsonrpc: '2.0',
        id: null,
        error: {
          code,
          message: `${errorCodes[name].title}: ${describe(error)}`,
          data: { code: name, requestId, ...(errors ? { errors } : {}) },
        },
      };
};

/** RFC 6749 section 5.2, with the codes of section 4.1.2.1 for what is not the client's. */
const oauthBody = (invalid: string) => (error: AppError) => ({
  error: oauthCode(error.status) ?? invalid,
  error_description: describe(error).replaceAll(/[^ !#-[\]-~]/g, '?'),
});

/** The code of an error that is not in the request; null if it is. */
const oauthCode = (status: number): string | null => {
  if (status === 429 || status === 503 || status === 504) {
    return 'temporarily_unavailable';
  }
  return status >= 500 ? 'server_error' : null;
};

const describe = ({ message, errors }: AppError): string =>
  [
    message,
    ...(errors ?? []).slice(0, 1).map(({ path, message: at }) => `${path || '/'}: ${at}`),
  ].join(' ');

const bodyOf: Readonly<Record<ErrorShape, (error: AppError, requestId: string) => object | null>> =
  {
    json_rpc: rpcBody,
    oauth: oauthBody('invalid_request'),
    // RFC 7591 section 3.2.2.
    client_registration: oauthBody('invalid_client_metadata'),
  };
