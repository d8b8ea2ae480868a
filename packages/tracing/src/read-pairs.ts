/** Reads `name=value` pairs as OpenTelemetry writes headers: separated by commas, values percent-encoded. */
export const readPairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return value.length === 0 ? [] : [[name.trim(), decoded(value.join('=').trim())]];
    }),
  );

/** What is not a percent-encoding stands for itself. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
