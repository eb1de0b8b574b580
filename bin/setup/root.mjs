import { fileURLToPath } from 'node:url'

/** The folder of this repository, wherever the command was called from. Ends in a slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
