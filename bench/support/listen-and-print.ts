import type { Server } from 'node:net'
import { listenLocally } from '#test/listen-locally.ts'

/** Starts a server at a free port, and prints its address as the log of Culvert does. */
export async function listenAndPrint(server: Server): Promise<void> {
  const port = await listenLocally(server)
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
}
