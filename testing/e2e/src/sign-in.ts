import { createApi } from './call-api.ts';

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
  const response = await createApi({ baseUrl, headers: { origin: baseUrl } })(
    'POST',
    '/api/auth/login',
    {
      body: { email, password },
    },
  );
  const [cookie] = response.headers.getSetCookie();
  if (response.status !== 200 || !cookie) {
    throw new Error(
      `Signing in as ${email} returned ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }
  return { cookie: cookie.split(';')[0] ?? '', origin: baseUrl };
};
