import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openDataDir } from '#server/data-dir/open.ts'
import { buildConsole } from '#test/built-console.ts'
import { startServerProcess } from '#test/server-process.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { measureFirstBytes } from '../console/first-bytes.ts'
import { readProcessUsage } from '../ingest/process-usage.ts'
import { fillTraces } from './fill-traces.ts'

const rounds = { warmUp: 4, measured: 30 }

/**
 * Measures the first byte of each trace screen with a store as filled by 100,000,000 received spans, with
 * bodies up to that many bytes. Returns rows of a table.
 */
export async function measureTraceScreens(bodyBytes: number) {
  await buildConsole()
  const folder = await createTempDir()
  try {
    const file = join(folder.path, 'culvert.db')
    const filled = await fillTraces(file, bodyBytes)
    const opened = await openDataDir({ dataDir: folder.path, clock: Date.now, setsDamageAside: false })
    await addUser(opened.store)
    await opened.close()
    console.log(
      `${filled.segmentCount.toLocaleString('en')} segments with ${filled.spanCount.toLocaleString('en')} spans, ` +
        `${filled.figureCount.toLocaleString('en')} rows of figures, ${(statSync(file).size / 1e9).toFixed(2)} GB`,
    )
    // The flag that `npm start` sets.
    const nodeArgs = ['--max-semi-space-size=16']
    const server = await startServerProcess({ dataDir: folder.path, args: [], nodeArgs })
    try {
      const { origin, child } = server
      const page = `/performance/bench/${filled.transaction}`
      const screens = [
        `/traces/${filled.traceId}`,
        `/traces/${filled.largeTraceId}`,
        `/issues/${filled.issueId}`,
        ...['', '?period=1h', '?period=7d', '?period=30d', '?q=category%2F7'].map(
          (search) => `/performance${search}`,
        ),
        ...['24h', '30d'].map((period) => `/performance?view=queries&period=${period}`),
        ...['24h', '30d'].map((period) => `/performance?view=requests&period=${period}`),
        ...['24h', '30d'].map((period) => `/performance?view=vitals&period=${period}`),
        ...['1h', '24h', '30d'].map((period) => `${page}?period=${period}`),
      ]
      const rows = await measureFirstBytes({ origin, cookie: await cookieOf(origin), screens, rounds })
      const mb = Math.round(readProcessUsage(child.pid ?? 0).residentBytes / 1e6)
      console.log(`${mb} MB resident after ${screens.length} screens`)
      return rows.map(({ screen, ...row }) =>
        Object.assign({ screen: screen.replace(/[0-9a-f]{32}|\d{10,}/, 'ID') }, row),
      )
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    await folder.remove()
  }
}
