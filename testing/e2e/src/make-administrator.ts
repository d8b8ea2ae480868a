import { createApi, type Api, type ApiResponse } from './call-api.ts';
import type { SignIn } from './sign-in.ts';
import { whenAvailable } from './when-available.ts';

type System = {
  readonly baseUrl: string;
  readonly as: (headers: Readonly<Record<string, string>>) => Api;
  readonly boardHeaders: () => Promise<Readonly<Record<string, string>>>;
};

type NewAdministrator = Omit<SignIn, 'baseUrl'> & { readonly name: string };

/**
 * Creates another administrator of a system, who is in no company, as the first one was. Only an invite creates accounts, so
 * it is invited into a company and removed from it.
 */
export const makeAdministrator = async (
  { baseUrl, as, boardHeaders }: System,
  { name, email, password }: NewAdministrator,
): Promise<void> => {
  // A sign-in of now, which making an administrator needs. It ends below: an operator has at most ten sessions.
  const first = as(await boardHeaders());
  const send = async (call: string, body?: object): Promise<ApiResponse> => {
    const [method = '', path = ''] = call.split(' ');
    return succeeded(await whenAvailable(() => first(method, path, body && { body })));
  };
  const company = (await send('POST /api/companies', { name: `Of ${email}` })).body as Entity;
  const path = `/api/companies/${company.id}`;
  const invite = (await send(`POST ${path}/invites`, { email, role: 'viewer' })).body;
  const visitor = createApi({ baseUrl, headers: { origin: baseUrl, cookie: '' } });
  const body = { token: (invite as { readonly token: string }).token, name, password };
  const accept = () => visitor('POST', '/api/auth/invites/accept', { body });
  const { operator } = succeeded(await whenAvailable(accept)).body as {
    readonly operator: Entity;
  };
  succeeded(await visitor('POST', '/api/auth/logout'));
  await send(`PATCH /api/auth/operators/${operator.id}`, { isAdmin: true });
  await send(`DELETE ${path}/members/${operator.id}`);
  await send('POST /api/auth/logout');
};

type Entity = { readonly id: string };

const succeeded = (response: ApiResponse): ApiResponse => {
  const { method, path, status, body } = response;
  if (status >= 300) {
    throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(body)}`);
  }
  return response;
};
