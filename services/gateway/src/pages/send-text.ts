import type { Exchange } from '../exchange.ts';
import { isKnown } from './is-known.ts';

export type Text = {
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Sends a text of the gateway's own; a HEAD request gets the headers only. */
export const sendText = ({ req, res }: Exchange, { contentType, body, headers }: Text): void => {
  res.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  res.end(req.method === 'HEAD' ? undefined : body);
};

/** Sends a text with an ETag, or 304 when the client has it already (RFC 9110 section 13.1.2). */
export const sendTagged = (exchange: Exchange, text: Text & { readonly etag: string }): void => {
  const { req, res } = exchange;
  res.setHeader('ETag', text.etag);
  res.setHeader('Cache-Control', 'public, no-cache');
  if (isKnown(req, text.etag)) {
    res.writeHead(304).end();
    return;
  }
  sendText(exchange, text);
};
