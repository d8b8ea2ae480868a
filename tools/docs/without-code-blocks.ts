/** The text of a page without its code blocks, which show examples and files of other folders. */
export const withoutCodeBlocks = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');
