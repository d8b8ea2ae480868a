import type { RequestContext } from '../http/request-context.ts';

export type Text = {
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Sends a text of the gateway's own; a HEAD request gets the headers only. */
export const sendText = (
  { req, res }: RequestContext,
  { contentType, body, headers }: Text,
): void => {
  res.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  res.end(req.method === 'HEAD' ? undefined : body);
};
