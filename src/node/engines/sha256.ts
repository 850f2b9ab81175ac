/** The SHA-256 of a text, in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
