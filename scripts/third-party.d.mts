import type { Plugin } from 'vite';

export function recordThirdParty(build: string, options?: { readonly leavesThePackage?: boolean }): Plugin;
