import type { RequestContext } from '../http/request-context.ts';

/** A public route that the gateway answers itself. All of them are GET. */
export type LocalRoute = {
  readonly path: string;
  readonly handle: (context: RequestContext) => Promise<void> | void;
};
