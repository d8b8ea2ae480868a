import { createApi } from './call-api.ts';

export type SignIn = {
  readonly baseUrl: string;
  readonly email: string;
  readonly password: string;
};

/** Signs an operator in and answers the headers a browser would send from then on. */
export const signIn = async ({
  baseUrl,
  email,
  password,
}: SignIn): Promise<Record<string, string>> => {
  const answer = await createApi({ baseUrl, headers: { origin: baseUrl } })(
    'POST',
    '/api/auth/login',
    {
      body: { email, password },
    },
  );
  const [cookie] = answer.headers.getSetCookie();
  if (answer.status !== 200 || !cookie) {
    throw new Error(
      `Signing in as ${email} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
  }
  return { cookie: cookie.split(';')[0] ?? '', origin: baseUrl };
};
