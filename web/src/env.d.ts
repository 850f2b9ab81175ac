/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The version of the package, written in by the build. */
declare const __GRADUS_VERSION__: string;
