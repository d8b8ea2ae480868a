import { whenAvailable, type Api } from '@commonplace/e2e';

type Fields = Readonly<Record<string, unknown>>;

const attemptsMax = 40;

/** Calls the API and throws on an error; 503 is retried, because the system may still be starting. */
export const must = async (api: Api, call: string, body?: object): Promise<Fields> => {
  const [method = '', path = ''] = call.split(' ');
  const options = body === undefined ? {} : { body };
  const response = await whenAvailable(() => api(method, path, options), attemptsMax);
  if (response.status >= 300) {
    throw new Error(`${call} returned ${response.status}: ${JSON.stringify(response.body)}`);
  }
  return response.body as Fields;
};
