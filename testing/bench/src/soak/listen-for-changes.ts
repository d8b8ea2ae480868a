/**
 * Opens streams of changes and reads what arrives. Closing them throws if one had ended before or had brought nothing.
 */
export const listenForChanges = (
  url: string,
  authorization: Readonly<Record<string, string>>,
  count: number,
): { readonly close: () => Promise<void> } => {
  const closing = new AbortController();
  const streams = Array.from({ length: count }, () => bytesUntil(url, authorization, closing));
  return {
    close: async () => {
      closing.abort();
      const bytes = await Promise.all(streams);
      if (bytes.includes(0)) {
        throw new Error(`Of ${count} streams of changes some brought nothing: ${bytes.join(', ')}`);
      }
    },
  };
};

/** The bytes that one stream brought until it was closed. */
const bytesUntil = async (
  url: string,
  authorization: Readonly<Record<string, string>>,
  { signal }: AbortController,
): Promise<number> => {
  let bytes = 0;
  try {
    const headers = { ...authorization, accept: 'text/event-stream' };
    const response = await fetch(`${url}/api/notes/changes`, { headers, signal });
    for await (const part of response.body ?? []) {
      bytes += response.ok ? part.length : 0;
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    return bytes;
  }
  throw new Error(`A stream of changes ended after ${bytes} bytes`);
};
