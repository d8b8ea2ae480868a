import type { Page } from 'playwright-core';

/** A screenshot of the documentation. */
export type Screenshot = {
  readonly name: string;
  readonly path: string;
  /** The height of the window, if the page is to be seen down to its end. */
  readonly height?: number;
  /** Also taken at the width of a phone. */
  readonly onPhone?: boolean;
  /** Taken without a session. */
  readonly isSignedOut?: boolean;
  /** Runs on the page before it is opened. */
  readonly before?: (page: Page) => Promise<void>;
  /** Runs on the page before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
};
