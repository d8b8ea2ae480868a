import type { RouteContract } from '@commonplace/contracts/core';
import type { Response } from 'express';
import type { AnyReply } from './route-types.ts';
import { streamJsonBody } from './stream-json-body.ts';

const jsonType = 'application/json; charset=utf-8';

/** A longer body is encoded once and leaves beside its headers; as text it would first be joined to them. */
const textCharsMax = 16 * 1024;

/**
 * Sends what the handler answered, through the schema of its status: undeclared fields are dropped,
 * an undeclared status or a body that does not fit is a bug and becomes 500.
 */
export const sendReply = async (
  res: Response,
  contract: RouteContract,
  reply: AnyReply,
): Promise<void> => {
  const declared = contract.responses[reply.status];
  if (!declared) {
    throw new Error(
      `${contract.operationId} answered ${reply.status}, which its contract does not declare`,
    );
  }
  const hasBody = declared.schema !== undefined && !reply.stream && !reply.streamed;
  const body = hasBody ? JSON.stringify(declared.schema.parse(reply.body)) : undefined;
  res.statusCode = reply.status;
  res.setHeader('X-Request-Id', String(res.locals['requestId']));
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    res.setHeader(name, value);
  }
  if (!res.hasHeader('Cache-Control')) {
    res.setHeader('Cache-Control', 'private, no-store');
  }
  if (reply.stream) {
    // Whoever asks with HEAD wants the headers of the stream, and would wait for its end in vain.
    if (res.req.method === 'HEAD') {
      res.end();
      return;
    }
    reply.stream(res);
    return;
  }
  if (reply.streamed) {
    res.setHeader('Content-Type', jsonType);
    await streamJsonBody(res, declared.schema, reply.streamed);
    return;
  }
  if (body === undefined) {
    res.end();
    return;
  }
  const sent = body.length > textCharsMax ? Buffer.from(body) : body;
  res.setHeader('Content-Type', jsonType);
  res.setHeader('Content-Length', Buffer.byteLength(sent));
  res.end(sent);
};
