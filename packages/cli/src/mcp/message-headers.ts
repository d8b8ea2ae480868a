import { revisionOf, type Message } from './message.ts';

/** The field of the parameters that names what a method is about. */
const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The headers that Streamable HTTP wants beside the body. Revisions before 2026-07-28 want only the one that was
 * negotiated, which is null before `initialize` has a response.
 */
export const messageHeaders = (
  message: Message,
  negotiated: string | null,
): Readonly<Record<string, string>> => {
  const revision = revisionOf(message);
  if (revision === null || message.method === undefined) {
    return negotiated === null ? {} : { 'mcp-protocol-version': negotiated };
  }
  const field = nameFields[message.method];
  const name = field === undefined ? undefined : message.params?.[field];
  return {
    'mcp-protocol-version': fieldValue(revision),
    'mcp-method': fieldValue(message.method),
    ...(typeof name === 'string' ? { 'mcp-name': fieldValue(name) } : {}),
  };
};

/** What is not a plain header value is encoded, as the protocol says. */
const fieldValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
