import { existsSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies the browser's files of the build in `dist` before the next build replaces them. The server serves
 * its assets from there, too.
 */
export async function keepPreviousClient(dist: string): Promise<void> {
  const client = join(dist, 'client')
  if (!existsSync(client)) return
  const previous = join(dist, 'previous-client')
  await rm(previous, { recursive: true, force: true })
  await cp(client, previous, { recursive: true, preserveTimestamps: true })
}
