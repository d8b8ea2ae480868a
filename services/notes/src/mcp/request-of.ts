/**
 * What the SDK reads of a request whose body is parsed already. A real `Request`, whose signal follows another one,
 * would cost as much as the rest of the SDK.
 */
export const requestOf = (headers: ReadonlyMap<string, string>, signal: AbortSignal): Request =>
  ({
    method: 'POST',
    url: 'http://localhost/mcp',
    headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
    signal,
  }) as unknown as Request;
