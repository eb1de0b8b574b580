declare const __CULVERT_RELEASE__: string

/** The release of this build: the same value in the server, the browser, the failure page and /healthz. */
export const release: string = __CULVERT_RELEASE__
