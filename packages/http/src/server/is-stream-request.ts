import type { IncomingMessage } from 'node:http';
import type { RouteContract } from '@commonplace/contracts/core';

/** Whether the response to a request is an event stream or a long poll, which stays open while nothing happens. */
export const isStreamRequest = (
  { deadlineMs, streamedWith }: RouteContract,
  { headers }: IncomingMessage,
): boolean =>
  deadlineMs === null ||
  (streamedWith !== undefined && headers[streamedWith.header] === streamedWith.value);
