import { InputError } from '../../core/problem.js';

/** The digest by which a query can be recognised, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

/** The error that a package is not there which is only installed by those who want it. */
export function missingPackage(name: string, purpose: string): InputError {
  return new InputError({ message: `${purpose} needs the package ${name}, which is not installed`, wayOut: `npm install ${name}` });
}

/** True for an error that says a package cannot be found, as opposed to one that it threw. */
export function isMissingModule(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
