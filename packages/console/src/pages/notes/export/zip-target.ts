type Zip = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Where a zip is written to. */
export type ZipTarget = { readonly write: (zip: Zip, signal: AbortSignal) => Promise<void> };

type SaveFilePicker = (options: {
  readonly suggestedName: string;
}) => Promise<{ readonly createWritable: () => Promise<WritableStream<Uint8Array>> }>;

/**
 * Lets the operator choose a file, if the browser can write to one: then the zip is streamed to disk. Other browsers keep it as a
 * blob, and download it when it is complete. Null: the operator chose none. Call it from a click.
 */
export const chooseZipTarget = async (name: string): Promise<ZipTarget | null> => {
  const picker = (globalThis as { readonly showSaveFilePicker?: SaveFilePicker })
    .showSaveFilePicker;
  if (picker === undefined) {
    return { write: (zip, signal) => download(name, zip, signal) };
  }
  try {
    const file = await picker({ suggestedName: name });
    // An aborted stream leaves the file as it was.
    return {
      write: async (zip, signal) => zip.pipeTo(await file.createWritable(), { signal }),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return null;
    }
    throw error;
  }
};

const download = async (name: string, zip: Zip, signal: AbortSignal): Promise<void> => {
  const blob = await new Response(zip).blob();
  signal.throwIfAborted();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
