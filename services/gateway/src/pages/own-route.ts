import type { Exchange } from '../exchange.ts';

/** A public route that the gateway answers itself. All of them are GET. */
export type OwnRoute = {
  readonly path: string;
  readonly answer: (exchange: Exchange) => Promise<void> | void;
};
