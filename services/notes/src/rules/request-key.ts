import { AppError } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { mutationKey } from './mutation-key.ts';

type KeyedRequest = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly header: (name: string) => string | undefined;
};

/** A header of calls within the service; the gateway does not forward it. */
export const callHashHeader = 'commonplace-call-hash';

/** The idempotency key of a write by its header; null without one. */
export const requestKey = ({ caller, header }: KeyedRequest, operation: string) => {
  const key = readIdempotencyKey(header('Idempotency-Key'));
  return key === null ? null : keyWith(mutationKey(caller, `${operation}:${key}`), header);
};

/** Adds what identifies the call, if another part of the service made the request of it. */
export const keyWith = (key: ReturnType<typeof mutationKey>, header: KeyedRequest['header']) => {
  const callHash = header(callHashHeader);
  return callHash === undefined ? key : { ...key, callHash };
};

const readIdempotencyKey = (header: string | undefined): string | null => {
  if (header !== undefined && !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) {
    throw new AppError('malformed_header', 'Idempotency-Key takes 1 to 255 characters of ASCII.');
  }
  return header ?? null;
};
