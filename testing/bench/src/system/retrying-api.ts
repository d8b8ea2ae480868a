import { createApi, whenAvailable, type Api, type ApiOptions } from '@commonplace/e2e';

const attemptsMax = 30;

/** A client that retries on 503, which a busy machine may return. */
export const retryingApi = (options: ApiOptions): Api => {
  const api = createApi(options);
  return (...call) => whenAvailable(() => api(...call), attemptsMax);
};
