import type { Response } from 'express';
import { z } from 'zod';
import type { AnyReply } from './route-types.ts';

type StreamedParts = NonNullable<AnyReply['streamed']>;

/**
 * Sends a body whose long list is still being made, every part of it when it is there. What fails before the
 * first part is answered as a problem like anything else; later the connection is cut, because a status is
 * out already that says all went well. A client that reads slowly is not waited for: what it has not taken
 * is kept for it, which is no more than a body that was made at once.
 */
export const streamJsonBody = async (
  res: Response,
  schema: z.ZodType | undefined,
  { list, parts, rest }: StreamedParts,
): Promise<void> => {
  if (!(schema instanceof z.ZodObject)) {
    throw new TypeError('Only an object is sent in parts');
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
