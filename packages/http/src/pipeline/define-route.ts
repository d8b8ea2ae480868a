import type { RouteContract } from '@commonplace/contracts/core';
import type { Reply, Route, RouteRequest } from './route-types.ts';

/**
 * Binds a handler to its contract. The contract carries the access declaration, so a route without
 * one does not compile, and a handler can only return responses that the contract declares.
 */
export const defineRoute = <Contract extends RouteContract>(
  contract: Contract,
  handle: (request: RouteRequest<Contract>) => Promise<Reply<Contract>>,
): Route => ({ contract, handle: handle as unknown as Route['handle'] });
