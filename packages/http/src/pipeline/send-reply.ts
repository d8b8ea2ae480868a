import type { RouteContract } from '@commonplace/contracts/core';
import type { Response } from 'express';
import type { AnyReply } from './route-types.ts';
import { streamJsonBody } from './stream-json-body.ts';

const jsonType = 'application/json; charset=utf-8';
const markdownType = 'text/markdown; charset=utf-8';
const csvType = 'text/csv; charset=utf-8; header=present';

/** Longer bodies are encoded once; Node would first concatenate text with the headers. */
const textCharsMax = 16 * 1024;

/**
 * Sends the reply of the handler, parsed with the schema of its status: undeclared fields are dropped. An undeclared
 * status or an invalid body is a bug and becomes 500.
 */
export const sendReply = async (
  res: Response,
  contract: RouteContract,
  reply: AnyReply,
): Promise<void> => {
  const declared = contract.responses[reply.status];
  if (!declared) {
    throw new Error(
      `${contract.operationId} replied with ${reply.status}, which its contract does not declare`,
    );
  }
  const text = reply.markdown ?? reply.csv;
  const hasJson =
    declared.schema !== undefined && !reply.stream && !reply.streamed && text === undefined;
  const body = hasJson ? JSON.stringify(declared.schema.parse(reply.body)) : text;
  res.statusCode = reply.status;
  res.setHeader('X-Request-Id', String(res.locals['requestId']));
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    res.setHeader(name, value);
  }
  if (!res.hasHeader('Cache-Control')) {
    res.setHeader('Cache-Control', 'private, no-store');
  }
  if (reply.stream) {
    // HEAD gets the headers of the stream only; the stream may never end.
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
  res.setHeader('Content-Type', contentTypeOf(reply));
  res.setHeader('Content-Length', Buffer.byteLength(sent));
  res.end(sent);
};

const contentTypeOf = ({ markdown, csv }: AnyReply): string => {
  if (markdown !== undefined) {
    return markdownType;
  }
  return csv === undefined ? jsonType : csvType;
};
