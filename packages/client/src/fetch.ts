/** The one form of the platform's `fetch` that the client needs; tests and proxies hand in their own. */
export type Fetch = (request: Request) => Promise<Response>;
