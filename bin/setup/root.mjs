import { fileURLToPath } from 'node:url'

/** The folder of this repository, with a trailing slash, independent of the working directory. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
