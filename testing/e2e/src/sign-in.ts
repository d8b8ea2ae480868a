import { createApi } from './call-api.ts';
import { whenAvailable } from './when-available.ts';

export type SignIn = {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
};

/** Signs an operator in and returns the headers a browser would send from then on. */
export const signIn = async ({
  baseUrl,
  email,
  password,
}: SignIn): Promise<Record<string, string>> => {
  const visitor = createApi({ baseUrl, headers: { origin: baseUrl } });
  const body = { email, password };
  const response = await whenAvailable(() => visitor('POST', '/api/auth/login', { body }));
  const [cookie] = response.headers.getSetCookie();
  if (response.status !== 200 || !cookie) {
    throw new Error(
      `Signing in as ${email} returned ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }
  return { cookie: cookie.split(';')[0] ?? '', origin: baseUrl };
};
