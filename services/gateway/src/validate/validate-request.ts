import type { IncomingMessage } from 'node:http';
import type { DeploymentMode } from '@commonplace/contracts';
import { assertLocalRequest } from './local-trusted.ts';
import { validateRequestHeaders } from './request-headers.ts';
import { validateRequestTarget } from './request-target.ts';

export type RequestValidatorOptions = {
  readonly mode: DeploymentMode;
  /** The port that clients connect to. */
  readonly publicPortOf: (req: IncomingMessage) => number;
};

/** Creates the function that rejects ambiguous, malformed and misdirected requests. It returns the path. */
export const createRequestValidator =
  ({ mode, publicPortOf }: RequestValidatorOptions) =>
  (req: IncomingMessage): string => {
    const path = validateRequestTarget(req.url ?? '');
    validateRequestHeaders(req);
    if (mode === 'local_trusted') {
      assertLocalRequest(req, publicPortOf(req));
    }
    return path;
  };
