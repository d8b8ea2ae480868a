import type { Response } from 'express';
import { z } from 'zod';
import type { AnyReply } from './route-types.ts';

type StreamedParts = NonNullable<AnyReply['streamed']>;

/**
 * Streams a body with a long list, each part as it arrives. An error before the first part becomes a problem
 * response; a later one destroys the connection, because a successful status has been sent. It does not wait for
 * slow readers: what they have not read stays in memory, which is no more than a body sent at once.
 */
export const streamJsonBody = async (
  res: Response,
  schema: z.ZodType | undefined,
  { list, parts, rest }: StreamedParts,
): Promise<void> => {
  if (!(schema instanceof z.ZodObject)) {
    throw new TypeError('Only an object can be streamed');
  }
  let before = `{${JSON.stringify(list)}:[`;
  for await (const part of parts) {
    if (res.destroyed) {
      return;
    }
    if (part.length > 0) {
      res.write(Buffer.from(before + part.join(',')));
      before = ',';
    }
  }
  const { [list]: _, ...others } = schema.parse({ ...rest(), [list]: [] });
  const opened = before === ',' ? '' : before;
  const ending = JSON.stringify(others).slice(1);
  res.end(`${opened}]${ending === '}' ? '' : ','}${ending}`);
};
