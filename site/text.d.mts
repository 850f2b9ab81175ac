export function withLinks(
  text: string,
  source: string,
  page: string,
  pages: ReadonlyMap<string, string>,
  copy: (file: string) => boolean,
): string;
export function asText(markdown: string): string;
