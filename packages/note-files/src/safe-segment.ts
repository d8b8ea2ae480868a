/** Below the limit of all file systems, with room for a suffix. */
const segmentBytesMax = 180;

/** Names that Windows reserves for devices, whatever follows their first dot and blanks before it. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

/** Converts text to a file or folder name that is not hidden and valid on every system. */
export const safeSegment = (text: string): string => {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '-');
  // Truncate before fixing the ends, and trim before replacing dots: a name that starts with a blank and a
  // dot must not become hidden.
  const name = cutBytes(plain.trim())
    .replace(/[.\s]+$/u, '')
    .replace(/^\.+/, (dots) => '_'.repeat(dots.length))
    .replace(device, '$1_');
  return name === '' ? 'Untitled' : name;
};

const encoder = new TextEncoder();

const cutBytes = (text: string): string => {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > segmentBytesMax) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end);
};
