import type { Plugin } from 'vite';

/** Whole packages that nothing here uses. */
export const replacedPackages: readonly { readonly find: RegExp; readonly replacement: string }[];
export function replaceFiles(): Plugin;
export function replacePackages(): Plugin;
