import type { Api } from '../call-api.ts';
import { createBrowser, type PersonBrowser, type Visit } from './browser-of-person.ts';

export type Linking = {
  readonly baseUrl: string;
  /** A session of the operator, with its origin. */
  readonly api: Api;
};

/** Links the person at the provider to an operator; returns the response of the callback. */
export const linkPerson = async ({ baseUrl, api }: Linking): Promise<Visit> => {
  const { url, browser } = await beginWith(baseUrl, await api('POST', '/api/auth/identities'));
  return browser.visit(await browser.toCallback(url));
};

/** The browser that continues at the provider what a request of a page began. */
export const beginWith = async (
  baseUrl: string,
  response: Awaited<ReturnType<Api>>,
): Promise<{ readonly url: string; readonly browser: PersonBrowser }> => {
  if (response.status !== 200) {
    throw new Error(`Refused: ${response.status} ${JSON.stringify(response.body)}`);
  }
  const browser = createBrowser();
  for (const cookie of response.headers.getSetCookie()) {
    browser.setCookie(baseUrl, cookie.split(';')[0] ?? '');
  }
  return { url: (response.body as { url: string }).url, browser };
};
