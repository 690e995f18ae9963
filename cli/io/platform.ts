/** The operating system, as Node names it. */
export const PLATFORM: string = process.platform;
export const NODE_VERSION: string = process.versions.node;
