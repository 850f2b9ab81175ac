/** A message without what it quotes and counts. */
export function shapeOf(message: string): string {
  return message
    .slice(0, 600)
    .replace(/"[^"]*"/g, '"…"')
    .replace(/[+-]?\d+(\.\d+)?(e[+-]?\d+)?/gi, '0');
}
