/**
 * Creates a store of a million events in 20,000 issues for other benchmarks, and prints its size.
 *
 * npm run bench -- fill DATA_DIR [events] [issues]
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fillStore } from './reads/fill-store.ts'

/** Fills the data directory named on the command line. */
export async function runFill(): Promise<void> {
  const [dataDir, events = '1000000', issues = '20000'] = process.argv.slice(3)
  if (dataDir === undefined) throw new Error('usage: npm run bench -- fill DATA_DIR [events] [issues]')
  mkdirSync(dataDir, { recursive: true })
  const startedAt = performance.now()
  const eventCount = Number(events)
  await fillStore({
    path: join(dataDir, 'culvert.db'),
    eventCount,
    issueCount: Number(issues),
    onProgress: (done) => process.stdout.write(`\r${done.toLocaleString('en')} events`),
  })
  const seconds = (performance.now() - startedAt) / 1000
  const bytes = statSync(join(dataDir, 'culvert.db')).size
  console.log(
    `\r${eventCount.toLocaleString('en')} events in ${Math.round(seconds)} s, ${(bytes / 1e9).toFixed(2)} GB, ` +
      `${Math.round(bytes / eventCount)} bytes an event`,
  )
}
