import { failure, ok, skipped, warning, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

const check = 'connect';
const timeoutMs = 5_000;

const serverDocuments = [
  '/.well-known/oauth-authorization-server/connect',
  '/.well-known/openid-configuration/connect',
  '/connect/.well-known/oauth-authorization-server',
  '/connect/.well-known/openid-configuration',
];
const resourceDocument = '/.well-known/oauth-protected-resource/connect/mcp';

/**
 * Checks what hosts that connect by OAuth look for, where they look for it: at PUBLIC_URL, through whatever proxy is before
 * the gateway.
 */
export const checkConnect = async ({ env, url }: Deployment): Promise<Finding[]> => {
  const origin = env['PUBLIC_URL'] || url;
  const resource = await read(origin + resourceDocument);
  if (resource === 'unreachable') {
    return [
      skipped(check, `${origin} cannot be reached from here, or its certificate is not trusted`),
    ];
  }
  if (resource === null) {
    return [
      failure(
        check,
        `hosts do not find ${origin}${resourceDocument}`,
        'The proxy before the gateway must pass /.well-known/ and /connect/ on, unchanged.',
      ),
    ];
  }
  const documents = await Promise.all(
    serverDocuments.map(async (path) => {
      const found = await read(origin + path);
      return found === 'unreachable' ? null : found;
    }),
  );
  // Without PUBLIC_URL hosts are on this machine, and the doctor may be in a container with another name for the gateway.
  const named = env['PUBLIC_URL'] ? origin : (originOf(resource['resource']) ?? origin);
  return [
    documentsFinding(named, resource, documents),
    ...(await challengeFindings(origin)),
    ...addressFindings(env, named),
  ];
};

/** What the server says to a host that has no token yet: where to get one. */
const challengeFindings = async (origin: string): Promise<Finding[]> => {
  const challenge = await readChallenge(`${origin}/connect/mcp`);
  return challenge?.includes(`${resourceDocument}"`)
    ? []
    : [
        failure(
          check,
          `${origin}/connect/mcp does not say where hosts get a token: ${challenge ?? 'no WWW-Authenticate'}`,
          'The proxy before the gateway must pass /connect/mcp and WWW-Authenticate on, and require no sign-in of its own.',
        ),
      ];
};

const originOf = (address: unknown): string | null =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : null;

const documentsFinding = (
  origin: string,
  resource: Json,
  documents: readonly (Json | null)[],
): Finding => {
  const issuer = `${origin}/connect`;
  const missing = serverDocuments.filter((_path, index) => documents[index] === null);
  if (missing.length > 0) {
    return failure(
      check,
      `hosts do not find ${missing.join(', ')}`,
      'The proxy before the gateway must pass /.well-known/ and /connect/ on, unchanged.',
    );
  }
  const named = [resource['resource'], ...documents.map((each) => each?.['issuer'])];
  const expected = [`${issuer}/mcp`, ...documents.map(() => issuer)];
  const wrong = named.find((name, index) => name !== expected[index]);
  return wrong === undefined
    ? ok(check, `hosts connect to ${issuer}/mcp`)
    : failure(
        check,
        `the OAuth server calls itself ${JSON.stringify(wrong)}, hosts reach it at ${origin}`,
        'Set PUBLIC_URL to the address that browsers use, and restart.',
      );
};

const addressFindings = (env: Deployment['env'], origin: string): Finding[] =>
  isForOthers(env) && !origin.startsWith('https:')
    ? [
        warning(
          check,
          `${origin} is not https: only hosts on this machine connect`,
          'Claude.ai and ChatGPT need a public https address (docs/connect.md).',
        ),
      ]
    : [];

/** Whether others than this machine are meant to connect; where the mode is not set, a PUBLIC_URL says so. */
const isForOthers = ({ DEPLOYMENT_MODE, PUBLIC_URL }: Deployment['env']): boolean =>
  DEPLOYMENT_MODE === undefined ? PUBLIC_URL !== undefined : DEPLOYMENT_MODE === 'authenticated';

type Json = Readonly<Record<string, unknown>>;

/** The `WWW-Authenticate` of a request without a token; null if there is none. */
const readChallenge = async (address: string): Promise<string | null> => {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  await response?.body?.cancel();
  return response?.headers.get('www-authenticate') ?? null;
};

/** A document; null if there is none. */
const read = async (address: string): Promise<Json | 'unreachable' | null> => {
  let response: Response;
  try {
    response = await fetch(address, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    return 'unreachable';
  }
  const document = (await response.json().catch(() => null)) as Json | null;
  return response.status === 200 && typeof document === 'object' ? document : null;
};
