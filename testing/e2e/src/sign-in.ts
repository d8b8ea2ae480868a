import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from './call-api.ts';
import { whenAvailable } from './when-available.ts';

export type SignIn = {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
};

/**
 * Signs an operator in and returns the headers a browser would send from then on. An account may sign in 30 times a minute: a file
 * with more tests than that waits.
 */
export const signIn = async ({
  baseUrl,
  email,
  password,
}: SignIn): Promise<Record<string, string>> => {
  const visitor = createApi({ baseUrl, headers: { origin: baseUrl } });
  const body = { email, password };
  const send = () => whenAvailable(() => visitor('POST', '/api/auth/login', { body }));
  let response = await send();
  if (response.status === 429) {
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    response = await send();
  }
  const [cookie] = response.headers.getSetCookie();
  if (response.status !== 200 || !cookie) {
    throw new Error(
      `Signing in as ${email} returned ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }
  return { cookie: cookie.split(';')[0] ?? '', origin: baseUrl };
};
